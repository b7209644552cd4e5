/** Validation mode: both generations side by side, the tested configuration, and the exit. */
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type EntryPoint, entryPointQuery, type EntryRule } from '../../api/managed/entry-point.ts';
import type { OverrideEdit } from '../../api/managed/overrides.ts';
import { useZoneId } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { useDraft } from '../../parts/forms/draft.ts';
import { Pill, StatePill } from '../../parts/pill.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Time } from '../../parts/time.tsx';
import { tell } from '../../parts/toasts.tsx';
import { ComparisonCard } from './comparison-table.tsx';
import { type ConfigurationDraft, ConfigurationEditor } from './editor/configuration-editor.tsx';
import { mergeOverride, readConfiguration, toDraft } from './editor/configuration.ts';
import { type Check, useCheck } from './editor/use-check.ts';
import type { MigrationStatus, SeenMigration } from './migration-api.ts';
import type { MigrationState } from './migration-state.ts';
import { Refused } from './notes.tsx';
import { TurnOffDialog, useStep } from './step-dialogs.tsx';

interface ValidationProps {
  readonly status: MigrationStatus;
  readonly onSent: (state: MigrationState) => void;
}

export function Validation(props: ValidationProps) {
  const entryPoint = useQuery({ ...entryPointQuery(useZoneId()), refetchInterval: 15_000 });
  return (
    <Resource of={entryPoint} rows={6}>
      {(loaded) => <Loaded {...props} entryPoint={loaded} />}
    </Resource>
  );
}

const none: readonly EntryRule[] = [];

interface LoadedProps extends ValidationProps {
  readonly entryPoint: EntryPoint | null;
}

function Loaded({ status, onSent, entryPoint }: LoadedProps) {
  const rules: readonly EntryRule[] = entryPoint?.rules ?? none;
  const draft = useDraft(rules, { read: toDraft, key: `validation-${useZoneId()}` });
  const configuration = readConfiguration(draft.value);
  const check = useCheck(configuration, 'pending');
  const [isOpen, setIsOpen] = useState(false);
  const seen: SeenMigration = { state: 'validation', version: entryPoint?.version };
  const overrideInDraft = (rulesetId: string, ruleId: string, change: OverrideEdit): void =>
    draft.change({
      rules: draft.value.rules.map((each) =>
        each.rule.action === 'execute' && each.rule.action_parameters?.id === rulesetId
          ? { key: each.key, rule: mergeOverride(each.rule, ruleId, change) }
          : each,
      ),
    });
  return (
    <>
      <Generations {...{ status, rules, seen }} isEdited={draft.isEdited} />
      <ComparisonCard edited={draft.isEdited ? configuration : undefined} onOverride={overrideInDraft} />
      <ConfigurationEditor
        about={
          entryPoint === null ? (
            'No configuration yet: add rules, or restore a version of the entry point.'
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
      <SaveBar {...{ status, seen, draft, check }} onFinish={() => setIsOpen(true)} />
      {isOpen && (
        <TurnOffDialog {...{ rules, seen, onSent }} onClose={() => setIsOpen(false)} notes={check.notes} />
      )}
    </>
  );
}

interface SaveBarProps {
  readonly status: MigrationStatus;
  readonly seen: SeenMigration;
  readonly draft: ConfigurationDraft;
  readonly check: Check;
  readonly onFinish: () => void;
}

/** Edits are saved before the last step, so that the final configuration is the tested one. */
function SaveBar({ status, seen, draft, check, onFinish }: SaveBarProps) {
  const configuration = readConfiguration(draft.value);
  const sent = useRef(draft.value);
  const save = useStep(
    {
      seen,
      rules: configuration ?? [],
      onClose: () => tell('Configuration saved', 'Both versions are still in force.'),
      onSent() {
        draft.accept(sent.current);
        draft.finish(sent.current);
      },
    },
    { to: 'validation', isWatched: status.watched },
  );
  const send = (): void => {
    sent.current = draft.value;
    save.mutate();
  };
  return (
    <>
      {save.isError && <Refused error={save.error} />}
      <div className="save-bar">
        {draft.isEdited ? (
          <>
            <p className="grow">Save or discard your changes before the last step.</p>
            <Button onClick={draft.discard}>Discard changes</Button>
            <Button
              look="primary"
              isBusy={save.isPending}
              disabled={configuration === undefined || draft.isOutdated}
              onClick={send}
            >
              Save changes
            </Button>
          </>
        ) : (
          <>
            <p className="grow">When the comparison shows what you want, turn off the previous version.</p>
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
  readonly status: MigrationStatus;
  readonly rules: readonly EntryRule[];
  readonly seen: SeenMigration;
  readonly isEdited: boolean;
}

function Generations({ status, rules, seen, isEdited }: GenerationsProps) {
  const { watched, old_waf_status, new_waf_status } = status;
  const change = useStep(
    {
      rules,
      seen,
      onSent: () => {},
      onClose: () => tell(watched ? 'Both versions act now' : 'The new rules only log now'),
    },
    { to: 'validation', isWatched: !watched },
  );
  const isOff = new_waf_status === 'disabled';
  const newPill = (
    <Pill tone={isOff ? 'warn' : watched ? 'info' : 'good'}>
      {isOff ? 'not in force' : watched ? 'only log' : 'act'}
    </Pill>
  );
  const oldPill = <StatePill isOn={old_waf_status === 'enabled'} words={['act', 'off']} off="warn" />;
  return (
    <Card
      title="Validation mode"
      actions={
        <Button isBusy={change.isPending} disabled={isEdited} onClick={() => change.mutate()}>
          {watched ? 'Let the new rules act' : 'Let the new rules only log'}
        </Button>
      }
    >
      <Facts
        facts={[
          ['New managed rules, which run first', newPill],
          ['Previous managed rules', oldPill],
          ['Since', <Time key="since" at={status.created} />],
        ]}
      />
      {change.isError && <Refused error={change.error} />}
    </Card>
  );
}
