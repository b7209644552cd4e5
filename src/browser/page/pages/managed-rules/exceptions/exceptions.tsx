/** Exceptions: skip rules at the top of the entry point, which skip managed rules for some requests. */
import type { EntryPoint, EntryRule, StoredRule } from '../../../api/managed/entry-point.ts';
import { useZone, useZoneId } from '../../../api/queries.ts';
import { Card } from '../../../parts/card.tsx';
import { DialogButton } from '../../../parts/forms/dialog.tsx';
import { ConfirmButton, WriteSwitch } from '../../../parts/forms/write-button.tsx';
import { Pill } from '../../../parts/pill.tsx';
import { countThings } from '../../../parts/reading/count-things.ts';
import { Empty } from '../../../parts/reading/states.tsx';
import { changeEntryPoint, type ManagedRuleset } from '../ruleset-api.ts';
import { ExceptionDialog } from './exception-dialog.tsx';

interface ExceptionsProps {
  readonly rulesets: readonly ManagedRuleset[];
  readonly entryPoint: EntryPoint | null;
}

export function Exceptions({ rulesets, entryPoint }: ExceptionsProps) {
  const zone = useZone();
  const rules = (entryPoint?.rules ?? []).filter(({ action }) => action === 'skip');
  return (
    <Card
      title="Exceptions"
      actions={
        <DialogButton label="Create exception">
          {(close) => <ExceptionDialog {...{ rulesets, entryPoint }} onClose={close} />}
        </DialogButton>
      }
    >
      {rules.length === 0 ? (
        <Empty title="There are no exceptions" command={`gatehouse events exceptions ${zone.name} EVENT`}>
          Create an exception to let some requests past all managed rules, or past a few of them. For the
          narrowest ones, start from an event.
        </Empty>
      ) : (
        <ul className="list list-lined">
          {rules.map((rule) => (
            <ExceptionRow key={rule.id} {...{ rule, rulesets, entryPoint }} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function ExceptionRow({ rule, rulesets, entryPoint }: ExceptionsProps & { readonly rule: StoredRule }) {
  const zoneId = useZoneId();
  const name = rule.description ?? 'Exception without a description';
  const said = { done: 'Saved the exceptions', failed: 'The exception could not be changed' };
  return (
    <li className="row row-top">
      <div className="grow">
        <p>
          <strong>{name}</strong> {!rule.enabled && <Pill tone="warn">off</Pill>}
        </p>
        <p className="soft">{describeTarget(rule, rulesets)} for requests that match</p>
        <pre className="block">{rule.expression}</pre>
      </div>
      <WriteSwitch
        label={name}
        isOn={rule.enabled}
        write={(enabled) => changeEntryPoint(zoneId, entryPoint, { seen: rule, rule: { ...rule, enabled } })}
        {...said}
      />
      <DialogButton label="Edit" look="quiet" aria-label={`Edit ${name}`}>
        {(close) => <ExceptionDialog {...{ rulesets, rule, entryPoint }} onClose={close} />}
      </DialogButton>
      <ConfirmButton
        label="Remove"
        look="quiet"
        aria-label={`Remove ${name}`}
        title="Remove this exception?"
        action="Remove"
        write={() => changeEntryPoint(zoneId, entryPoint, { seen: rule })}
        {...said}
      >
        <p>Managed rules then apply again to requests that match</p>
        <pre className="block">{rule.expression}</pre>
      </ConfirmButton>
    </li>
  );
}

function describeTarget({ action_parameters = {} }: EntryRule, rulesets: readonly ManagedRuleset[]): string {
  const nameOf = (id: string): string => rulesets.find((ruleset) => ruleset.id === id)?.name ?? id;
  const { ruleset, rulesets: whole = [], rules = {} } = action_parameters;
  if (ruleset !== undefined) return 'Skips all managed rulesets';
  const parts = [
    ...whole.map(nameOf),
    ...Object.entries(rules).map(([id, ids]) => `${countThings(ids.length, 'rule')} of ${nameOf(id)}`),
  ];
  return `Skips ${parts.join(', ')}`;
}
