/** Exceptions: skip rules at the top of the entry point, which leave managed rules out for some requests. */
import { useState } from 'react';
import type { Zone } from '../../../api/types.ts';
import { Button } from '../../../parts/button.tsx';
import { Card } from '../../../parts/card.tsx';
import { Confirm } from '../../../parts/dialog.tsx';
import { Pill } from '../../../parts/pill.tsx';
import { Empty } from '../../../parts/states.tsx';
import { useChange } from '../changes.ts';
import {
  type Change,
  changeEntryPoint,
  type EntryPoint,
  type ManagedRuleset,
  type SkipRule,
  toSentSkip,
} from '../ruleset-api.ts';
import { Switch } from '../switch.tsx';
import { ExceptionDialog } from './exception-dialog.tsx';

interface ExceptionsProps {
  readonly zone: Zone;
  readonly rulesets: readonly ManagedRuleset[];
  readonly entryPoint: EntryPoint | null;
}

/** What is edited, and the version in which the reader saw it. */
interface Edited {
  readonly rule: SkipRule | undefined;
  readonly seen: EntryPoint | null;
}

export function Exceptions({ zone, rulesets, entryPoint }: ExceptionsProps) {
  const [edited, setEdited] = useState<Edited>();
  const rules = (entryPoint?.rules ?? []).filter((rule): rule is SkipRule => rule.action === 'skip');
  return (
    <Card
      title="Exceptions"
      actions={
        <Button onClick={() => setEdited({ rule: undefined, seen: entryPoint })}>Create exception</Button>
      }
    >
      {rules.length === 0 ? (
        <Empty title="There are no exceptions">
          <p>Create an exception to let some requests past all managed rules, or past a few of them.</p>
        </Empty>
      ) : (
        <ul className="managed-rules-rulesets">
          {rules.map((rule) => (
            <ExceptionRow
              key={rule.id}
              zoneId={zone.id}
              rule={rule}
              rulesets={rulesets}
              entryPoint={entryPoint}
              onEdit={() => setEdited({ rule, seen: entryPoint })}
            />
          ))}
        </ul>
      )}
      {edited !== undefined && (
        <ExceptionDialog zone={zone} rulesets={rulesets} {...edited} onClose={() => setEdited(undefined)} />
      )}
    </Card>
  );
}

interface ExceptionRowProps {
  readonly zoneId: string;
  readonly rule: SkipRule;
  readonly rulesets: readonly ManagedRuleset[];
  readonly entryPoint: EntryPoint | null;
  readonly onEdit: () => void;
}

function ExceptionRow({ zoneId, rule, rulesets, entryPoint, onEdit }: ExceptionRowProps) {
  const [isAsking, setAsking] = useState(false);
  const name = rule.description ?? 'Exception without a description';
  const change = useChange({
    zoneId,
    change: (wanted: Change) => changeEntryPoint(zoneId, entryPoint, wanted),
    done: 'Saved the exceptions',
    failed: 'The exception could not be changed',
    onDone: () => setAsking(false),
  });
  const isToggling = change.isPending && change.variables.kind === 'edit';
  return (
    <li className="managed-rules-ruleset managed-rules-exception">
      <div className="managed-rules-what">
        <p className="managed-rules-name">
          {name} {!rule.enabled && <Pill tone="warn">off</Pill>}
        </p>
        <p className="soft">{describeTarget(rule, rulesets)} for requests that match</p>
        <pre className="managed-rules-expression">{rule.expression}</pre>
      </div>
      <div className="managed-rules-buttons">
        <Switch
          label={name}
          isOn={isToggling ? !rule.enabled : rule.enabled}
          onChange={(enabled) =>
            change.mutate({ kind: 'edit', seen: rule, rule: { ...toSentSkip(rule), enabled } })
          }
        />
        <Button look="quiet" aria-label={`Edit ${name}`} onClick={onEdit}>
          Edit
        </Button>
        <Button look="quiet" aria-label={`Remove ${name}`} onClick={() => setAsking(true)}>
          Remove
        </Button>
      </div>
      <Confirm
        title="Remove this exception?"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => change.mutate({ kind: 'delete', seen: rule })}
        action="Remove"
        isBusy={change.isPending}
      >
        <p>Managed rules then apply again to requests that match</p>
        <pre className="managed-rules-expression">{rule.expression}</pre>
      </Confirm>
    </li>
  );
}

function describeTarget({ action_parameters }: SkipRule, rulesets: readonly ManagedRuleset[]): string {
  const nameOf = (id: string): string => rulesets.find((ruleset) => ruleset.id === id)?.name ?? id;
  const { ruleset, rulesets: whole = [], rules = {} } = action_parameters;
  if (ruleset !== undefined) return 'Skips all managed rulesets';
  const parts = [
    ...whole.map(nameOf),
    ...Object.entries(rules).map(
      ([id, ids]) => `${ids.length} ${ids.length === 1 ? 'rule' : 'rules'} of ${nameOf(id)}`,
    ),
  ];
  return `Skips ${parts.join(', ')}`;
}
