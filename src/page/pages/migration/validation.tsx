/** Validation mode: both generations side by side, the configuration that is tried, and the way out. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Zone } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Pill } from '../../parts/pill.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { tell } from '../../parts/toasts.tsx';
import { ComparisonCard } from './comparison-table.tsx';
import { ConfigurationEditor } from './editor/configuration-editor.tsx';
import { mergeOverride } from './editor/configuration.ts';
import { type Check, useCheck } from './editor/use-check.ts';
import { type Draft, useDraft } from './editor/use-draft.ts';
import { type EntryPoint, entryPointQuery, type MigrationStatus, type Seen } from './migration-api.ts';
import type { MigrationState } from './migration-state.ts';
import { Refused } from './notes.tsx';
import { TurnOffDialog, useStep } from './step-dialogs.tsx';

interface ValidationProps {
  readonly zone: Zone;
  readonly status: MigrationStatus;
  readonly onSent: (state: MigrationState) => void;
}

export function Validation(props: ValidationProps) {
  const entryPoint = useQuery({ ...entryPointQuery(props.zone.id), refetchInterval: 15_000 });
  if (entryPoint.data === undefined) {
    return entryPoint.isError ? (
      <Failed error={entryPoint.error} onRetry={() => void entryPoint.refetch()} />
    ) : (
      <Loading rows={6} />
    );
  }
  return <Loaded {...props} entryPoint={entryPoint.data} />;
}

const none: EntryPoint['rules'] = [];

function Loaded({
  zone,
  status,
  onSent,
  entryPoint,
}: ValidationProps & { readonly entryPoint: EntryPoint | null }) {
  const rules = entryPoint?.rules ?? none;
  const draft = useDraft(`validation-${zone.id}`, rules);
  const check = useCheck(zone.id, draft.configuration, 'pending');
  const [isOpen, setIsOpen] = useState(false);
  const seen: Seen = { state: 'validation', version: entryPoint?.version };
  const overrideInDraft = (
    rulesetId: string,
    ruleId: string,
    change: { action?: string; enabled?: boolean },
  ): void =>
    draft.edit(
      draft.rules.map((each) =>
        each.rule.action === 'execute' && each.rule.action_parameters?.id === rulesetId
          ? { key: each.key, rule: mergeOverride(each.rule, ruleId, change) }
          : each,
      ),
    );
  return (
    <>
      <Generations zone={zone} status={status} rules={rules} seen={seen} draft={draft} />
      <ComparisonCard
        zone={zone}
        edited={draft.isEdited ? draft.configuration : undefined}
        onOverride={overrideInDraft}
      />
      <ConfigurationEditor
        zoneId={zone.id}
        title="New configuration"
        about={
          entryPoint === null ? (
            'There is none: add rules, or restore a version of the entry point.'
          ) : (
            <>
              Version {entryPoint.version}, deployed <Time at={entryPoint.last_updated} isRelative />. Changes
              take effect when you save them.
            </>
          )
        }
        draft={draft}
        check={check}
      />
      <SaveBar
        zone={zone}
        status={status}
        seen={seen}
        draft={draft}
        check={check}
        onFinish={() => setIsOpen(true)}
      />
      <TurnOffDialog
        zone={zone}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        rules={rules}
        seen={seen}
        notes={check.notes}
        onSent={onSent}
      />
    </>
  );
}

interface SaveBarProps {
  readonly zone: Zone;
  readonly status: MigrationStatus;
  readonly seen: Seen;
  readonly draft: Draft;
  readonly check: Check;
  readonly onFinish: () => void;
}

/** Edits are saved before the last step, so that what is finished with is what was tried. */
function SaveBar({ zone, status, seen, draft, check, onFinish }: SaveBarProps) {
  const save = useStep(
    {
      zone,
      seen,
      rules: draft.configuration ?? [],
      onClose: () => tell('Configuration saved', 'Both versions are still in force.'),
      onSent: draft.discard,
    },
    { to: 'validation', isWatched: status.watched },
  );
  return (
    <>
      {save.isError && <Refused zoneId={zone.id} error={save.error} />}
      <div className="migration-footer">
        {draft.isEdited ? (
          <>
            <p>Save or discard your changes before the last step.</p>
            <Button onClick={draft.discard}>Discard changes</Button>
            <Button
              look="primary"
              isBusy={save.isPending}
              disabled={draft.configuration === undefined || draft.isOutdated}
              onClick={() => save.mutate()}
            >
              Save changes
            </Button>
          </>
        ) : (
          <>
            <p>When the comparison shows what you want, turn off the previous version.</p>
            <Button look="primary" disabled={!check.isAccepted} onClick={onFinish}>
              Ready to update
            </Button>
          </>
        )}
      </div>
    </>
  );
}

interface GenerationsProps {
  readonly zone: Zone;
  readonly status: MigrationStatus;
  readonly rules: EntryPoint['rules'];
  readonly seen: Seen;
  readonly draft: Draft;
}

function Generations({ zone, status, rules, seen, draft }: GenerationsProps) {
  const { watched, old_waf_status, new_waf_status } = status;
  const change = useStep(
    {
      zone,
      rules,
      seen,
      onSent: () => {},
      onClose: () => tell(watched ? 'Both versions act now' : 'The new rules only log now'),
    },
    { to: 'validation', isWatched: !watched },
  );
  return (
    <Card
      title="Validation mode"
      actions={
        <Button isBusy={change.isPending} disabled={draft.isEdited} onClick={() => change.mutate()}>
          {watched ? 'Let the new rules act' : 'Let the new rules only log'}
        </Button>
      }
    >
      <dl className="migration-generations">
        <div>
          <dt>New managed rules, which run first</dt>
          <dd>
            <Pill tone={new_waf_status === 'disabled' ? 'warn' : watched ? 'info' : 'good'}>
              {new_waf_status === 'disabled' ? 'not in force' : watched ? 'only log' : 'act'}
            </Pill>
          </dd>
        </div>
        <div>
          <dt>Previous managed rules</dt>
          <dd>
            <Pill tone={old_waf_status === 'enabled' ? 'good' : 'warn'}>
              {old_waf_status === 'enabled' ? 'act' : 'off'}
            </Pill>
          </dd>
        </div>
        <div>
          <dt>Since</dt>
          <dd>
            <Time at={status.created} />
          </dd>
        </div>
      </dl>
      {change.isError && <Refused zoneId={zone.id} error={change.error} />}
    </Card>
  );
}
