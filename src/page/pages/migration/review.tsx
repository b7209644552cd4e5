/** The proposed configuration: what it consists of, what is lost, and its deployment. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Zone } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { isLoss } from './advice.ts';
import { ConfigurationEditor } from './editor/configuration-editor.tsx';
import { useCheck } from './editor/use-check.ts';
import { useDraft } from './editor/use-draft.ts';
import type { ConfiguredRule } from './editor/configuration.ts';
import { checkQuery, entryPointQuery, type Note, proposalQuery, type Seen } from './migration-api.ts';
import type { MigrationState } from './migration-state.ts';
import { NoteList } from './notes.tsx';
import { Obstacles } from './obstacles.tsx';
import { DeployDialog, StartValidationDialog } from './step-dialogs.tsx';

interface ReviewProps {
  readonly zone: Zone;
  readonly onSent: (state: MigrationState) => void;
}

export function Review({ zone, onSent }: ReviewProps) {
  const check = useQuery({ ...checkQuery(zone.id), refetchInterval: 15_000 });
  const proposal = useQuery(proposalQuery(zone.id));
  const entryPoint = useQuery(entryPointQuery(zone.id));
  const failed = [check, proposal, entryPoint].find(({ isError, data }) => isError && data === undefined);
  if (failed !== undefined) return <Failed error={failed.error} onRetry={() => void failed.refetch()} />;
  if (check.data === undefined || proposal.data === undefined || entryPoint.data === undefined)
    return <Loading rows={6} />;
  if (!check.data.isCompatible) return <Blocked zone={zone} obstacles={check.data.obstacles} />;
  return (
    <Proposal
      zone={zone}
      rules={proposal.data.rules}
      losses={proposal.data.losses.filter(({ code }) => isLoss(code))}
      version={entryPoint.data?.version}
      onSent={onSent}
    />
  );
}

function Blocked({ zone, obstacles }: { readonly zone: Zone; readonly obstacles: readonly Note[] }) {
  return (
    <Card title="This site cannot be updated yet">
      <p className="soft migration-lead">
        Remove what stands in the way. Until then the previous managed rules stay in force, and nothing else
        changes.
      </p>
      <Obstacles zoneId={zone.id} obstacles={obstacles} />
      <p className="migration-after">
        <Link to="/zones/$zoneId/managed-rules" params={{ zoneId: zone.id }}>
          Back to managed rules
        </Link>
      </p>
    </Card>
  );
}

interface ProposalProps extends ReviewProps {
  readonly rules: readonly ConfiguredRule[];
  readonly losses: readonly Note[];
  readonly version: string | undefined;
}

function Proposal({ zone, rules, losses, version, onSent }: ProposalProps) {
  const isEnterprise = zone.plan.legacy_id === 'enterprise';
  const draft = useDraft(`proposal-${zone.id}`, rules);
  const check = useCheck(zone.id, draft.configuration, isEnterprise ? 'validation' : 'pending');
  const [isOpen, setIsOpen] = useState(false);
  const StepDialog = isEnterprise ? StartValidationDialog : DeployDialog;
  const seen: Seen = { state: 'start', version, proposal: rules };
  return (
    <>
      <Losses zone={zone} losses={losses} />
      <ConfigurationEditor
        zoneId={zone.id}
        title="New configuration"
        about="Evaluated from top to bottom. An exception acts on the rulesets after it."
        draft={draft}
        check={check}
      />
      <div className="migration-footer">
        <p>
          {isEnterprise
            ? 'Deploying starts validation mode: the previous managed rules stay in force.'
            : 'Deploying turns the previous managed rules off for good.'}
        </p>
        <Button
          look="primary"
          disabled={!check.isAccepted || draft.isOutdated}
          onClick={() => setIsOpen(true)}
        >
          Deploy
        </Button>
      </div>
      <StepDialog
        zone={zone}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        rules={draft.configuration ?? []}
        seen={seen}
        notes={check.notes}
        onSent={(state) => {
          draft.discard();
          onSent(state);
        }}
      />
    </>
  );
}

function Losses({ zone, losses }: { readonly zone: Zone; readonly losses: readonly Note[] }) {
  return (
    <Card title={losses.length === 0 ? 'Nothing is lost' : 'What changes or is lost'}>
      {losses.length === 0 ? (
        <p className="soft">Every setting of the previous managed rules has a counterpart below.</p>
      ) : (
        <NoteList zoneId={zone.id} notes={losses} />
      )}
    </Card>
  );
}
