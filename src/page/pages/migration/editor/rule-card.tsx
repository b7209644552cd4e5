/** One rule of a configuration: what it does and where it came from, and the form that changes it. */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from '../../../parts/button.tsx';
import { Pill } from '../../../parts/pill.tsx';
import { managedRulesetQuery, type Note } from '../migration-api.ts';
import { type ConfiguredRule, describeOrigin, type DraftRule, readRule } from './configuration.ts';
import { JsonForm, RuleForm } from './rule-form.tsx';
import { OverrideSummary } from './ruleset-form.tsx';

interface RuleCardProps {
  readonly zoneId: string;
  readonly draft: DraftRule;
  readonly place: number;
  readonly count: number;
  readonly problems: readonly Note[];
  readonly onChange: (rule: DraftRule) => void;
  readonly onMove: (to: number) => void;
  readonly onRemove: () => void;
}

export function RuleCard(props: RuleCardProps) {
  const { zoneId, draft, place, problems, onChange } = props;
  const { rule, json } = draft;
  // A rule that was just added is there to be filled in.
  const [isEditing, setIsEditing] = useState(rule.expression === '');
  const title = useTitle(zoneId, rule);
  const isShownAsForm = isEditing || json !== undefined;
  return (
    <li
      className={rule.enabled ? 'migration-rule' : 'migration-rule migration-rule-off'}
      aria-label={`Rule ${place + 1}: ${title}`}
    >
      <div className="migration-rule-head">
        <div>
          <h3>
            {place + 1}. {title} {!rule.enabled && <Pill tone="warn">disabled</Pill>}
          </h3>
          <p className="soft">{describeOrigin(rule)}</p>
        </div>
        {!isShownAsForm && (
          <Button aria-label={`Edit rule ${place + 1}`} onClick={() => setIsEditing(true)}>
            Edit
          </Button>
        )}
      </div>
      {problems.map(({ message }, index) => (
        <p key={index} className="field-error migration-problem" role="alert">
          {message}
        </p>
      ))}
      {isShownAsForm ? (
        <>
          {json === undefined ? (
            <RuleForm
              zoneId={zoneId}
              rule={rule}
              onChange={(next) => onChange({ key: draft.key, rule: next })}
            />
          ) : (
            <JsonForm json={json} onChange={(text) => onChange(readText(draft, text))} />
          )}
          <FormActions {...props} onDone={() => setIsEditing(false)} />
        </>
      ) : (
        <RuleSummary zoneId={zoneId} rule={rule} />
      )}
    </li>
  );
}

/** The last text that was a rule counts until the text is one again. */
function readText(draft: DraftRule, json: string): DraftRule {
  const read = readRule(json);
  return { ...draft, json, rule: 'problem' in read ? draft.rule : read };
}

interface FormActionsProps extends RuleCardProps {
  readonly onDone: () => void;
}

function FormActions(props: FormActionsProps) {
  const { draft, place, count, onChange, onMove, onRemove, onDone } = props;
  const { key, rule, json } = draft;
  const isReadable = json === undefined || !('problem' in readRule(json));
  const close = (): void => {
    if (json !== undefined) onChange({ key, rule });
    onDone();
  };
  return (
    <div className="row migration-after">
      <Button disabled={!isReadable} onClick={close}>
        Done
      </Button>
      {json === undefined ? (
        <Button onClick={() => onChange({ key, rule, json: JSON.stringify(rule, undefined, 2) })}>
          Edit as JSON
        </Button>
      ) : (
        <Button disabled={!isReadable} onClick={() => onChange({ key, rule })}>
          Edit as form
        </Button>
      )}
      <Button disabled={place === 0} onClick={() => onMove(place - 1)}>
        Move up
      </Button>
      <Button disabled={place === count - 1} onClick={() => onMove(place + 1)}>
        Move down
      </Button>
      <Button look="danger" onClick={onRemove}>
        Remove
      </Button>
    </div>
  );
}

function useTitle(zoneId: string, { action, action_parameters, description }: ConfiguredRule): string {
  const rulesetId = action === 'execute' ? action_parameters?.id : undefined;
  const ruleset = useQuery({
    ...managedRulesetQuery(zoneId, rulesetId ?? ''),
    enabled: rulesetId !== undefined,
  });
  if (action === 'skip') return 'Exception';
  if (rulesetId !== undefined) return ruleset.data?.name ?? `Managed ruleset ${rulesetId}`;
  return description !== undefined && description !== '' ? description : action;
}

function RuleSummary({ zoneId, rule }: { readonly zoneId: string; readonly rule: ConfiguredRule }) {
  const { action, expression, action_parameters } = rule;
  return (
    <dl className="migration-rule-facts">
      <Fact term="For">
        {expression === 'true' ? 'all requests' : <code className="migration-expression">{expression}</code>}
      </Fact>
      {action === 'skip' && (
        <Fact term="Skips">
          {action_parameters?.ruleset === 'current' ? (
            'all rulesets after it'
          ) : (
            <code>{JSON.stringify(action_parameters)}</code>
          )}
        </Fact>
      )}
      {action === 'execute' && (
        <Fact term="Overrides">
          <OverrideSummary zoneId={zoneId} rule={rule} />
        </Fact>
      )}
    </dl>
  );
}

function Fact({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
