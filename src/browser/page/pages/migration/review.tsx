/** The proposed configuration: its contents, its losses, and its deployment. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type EntryRule, entryPointQuery } from '../../api/managed/entry-point.ts';
import { useZone, useZoneId } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { useDraft } from '../../parts/forms/draft.ts';
import { Resource } from '../../parts/reading/resource.tsx';
import { together } from '../../parts/reading/together.ts';
import { isLoss } from './advice.ts';
import { ConfigurationEditor } from './editor/configuration-editor.tsx';
import { readConfiguration, toDraft } from './editor/configuration.ts';
import { useCheck } from './editor/use-check.ts';
import { checkQuery, type Note, proposalQuery, type SeenMigration } from './migration-api.ts';
import type { MigrationState } from './migration-state.ts';
import { NoteList } from './notes.tsx';
import { Obstacles } from './obstacles.tsx';
import { DeployDialog, StartValidationDialog } from './step-dialogs.tsx';

interface ReviewProps {
  readonly onSent: (state: MigrationState) => void;
}

export function Review({ onSent }: ReviewProps) {
  const zoneId = useZoneId();
  const known = together({
    check: useQuery({ ...checkQuery(zoneId), refetchInterval: 15_000 }),
    proposal: useQuery(proposalQuery(zoneId)),
    entryPoint: useQuery(entryPointQuery(zoneId)),
  });
  return (
    <Resource of={known} rows={6}>
      {({ check, proposal, entryPoint }) =>
        check.result.compatible ? (
          <>
            <Losses losses={proposal.notes.filter(({ code }) => isLoss(code))} />
            <Proposal rules={proposal.result.rules} version={entryPoint?.version} onSent={onSent} />
          </>
        ) : (
          <Blocked obstacles={check.notes} />
        )
      }
    </Resource>
  );
}

function Blocked({ obstacles }: { readonly obstacles: readonly Note[] }) {
  return (
    <Card title="This site cannot be updated yet">
      <div className="stack">
        <p className="soft">
          Remove the obstacles below. Until then the previous managed rules stay in force, and nothing else
          changes.
        </p>
        <Obstacles obstacles={obstacles} />
        <Link to="/zones/$zoneId/managed-rules" params={{ zoneId: useZoneId() }}>
          Back to managed rules
        </Link>
      </div>
    </Card>
  );
}

interface ProposalProps extends ReviewProps {
  readonly rules: readonly EntryRule[];
  readonly version: string | undefined;
}

function Proposal({ rules, version, onSent }: ProposalProps) {
  const zone = useZone();
  const isEnterprise = zone.plan.legacy_id === 'enterprise';
  const draft = useDraft(rules, { read: toDraft, key: `proposal-${zone.id}` });
  const configuration = readConfiguration(draft.value);
  const check = useCheck(configuration, isEnterprise ? 'validation' : 'pending');
  const [isOpen, setIsOpen] = useState(false);
  const StepDialog = isEnterprise ? StartValidationDialog : DeployDialog;
  const seen: SeenMigration = { state: 'start', version, proposal: rules };
  return (
    <>
      <ConfigurationEditor
        about="Evaluated from top to bottom. An exception acts on the rulesets after it."
        draft={draft}
        check={check}
      />
      <div className="save-bar">
        <p className="grow">
          {isEnterprise
            ? 'Deploying starts validation mode: the previous managed rules stay in force.'
            : 'Deploying turns the previous managed rules off permanently.'}
        </p>
        <Button
          look="primary"
          disabled={!check.isAccepted || draft.isOutdated}
          onClick={() => setIsOpen(true)}
        >
          Deploy
        </Button>
      </div>
      {isOpen && (
        <StepDialog
          onClose={() => setIsOpen(false)}
          rules={configuration ?? []}
          seen={seen}
          notes={check.notes}
          onSent={(state) => {
            draft.discard();
            onSent(state);
          }}
        />
      )}
    </>
  );
}

function Losses({ losses }: { readonly losses: readonly Note[] }) {
  return (
    <Card title={losses.length === 0 ? 'Nothing is lost' : 'What changes or is lost'}>
      {losses.length === 0 ? (
        <p className="soft">Every setting of the previous managed rules has a counterpart below.</p>
      ) : (
        <NoteList notes={losses} />
      )}
    </Card>
  );
}
