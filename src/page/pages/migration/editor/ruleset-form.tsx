/** The overrides of a managed ruleset: single rules and, of the OWASP ruleset, level, score and action. */
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { owaspRulesetId, scoreRuleId, paranoiaLevels } from '../../../api/managed-rulesets.ts';
import { Button } from '../../../parts/button.tsx';
import { Field, Select } from '../../../parts/field.tsx';
import { type ManagedRuleset, managedRulesetQuery } from '../migration-api.ts';
import {
  type ConfiguredRule,
  mergeOverride,
  overrideRule,
  readParanoiaLevel,
  type RuleOverride,
  setParanoiaLevel,
} from './configuration.ts';

interface RulesetFormProps {
  readonly zoneId: string;
  readonly rule: ConfiguredRule;
  readonly onChange: (rule: ConfiguredRule) => void;
}

const actions = ['block', 'managed_challenge', 'challenge', 'js_challenge', 'log'] as const;
const thresholds = [
  [60, 'Low: 60 and higher'],
  [40, 'Medium: 40 and higher'],
  [25, 'High: 25 and higher'],
] as const;

function useManagedRuleset(
  zoneId: string,
  { action_parameters }: ConfiguredRule,
): ManagedRuleset | undefined {
  const { id } = action_parameters ?? {};
  return useQuery({ ...managedRulesetQuery(zoneId, id ?? ''), enabled: id !== undefined }).data;
}

function listRuleOverrides({ action_parameters }: ConfiguredRule): readonly RuleOverride[] {
  return (action_parameters?.overrides?.rules ?? []).filter(({ id }) => id !== scoreRuleId);
}

function findScoreOverride({ action_parameters }: ConfiguredRule): RuleOverride | undefined {
  return action_parameters?.overrides?.rules?.find(({ id }) => id === scoreRuleId);
}

function describeOverride({ action, enabled }: RuleOverride): string {
  if (enabled === false) return 'off';
  return action?.replaceAll('_', ' ') ?? 'on';
}

export function OverrideSummary({
  zoneId,
  rule,
}: {
  readonly zoneId: string;
  readonly rule: ConfiguredRule;
}) {
  const ruleset = useManagedRuleset(zoneId, rule);
  const overrides = listRuleOverrides(rule);
  const isScoring = rule.action_parameters?.id === owaspRulesetId;
  const score = findScoreOverride(rule);
  if (overrides.length === 0 && !isScoring) return 'none: every rule does what the ruleset says';
  return (
    <>
      {isScoring && (
        <p>
          paranoia level {readParanoiaLevel(rule)}, score {score?.score_threshold ?? 40} and higher:{' '}
          {(score?.action ?? 'block').replaceAll('_', ' ')}
        </p>
      )}
      {overrides.length > 0 && (
        <details>
          <summary>
            {overrides.length} {overrides.length === 1 ? 'rule' : 'rules'}
          </summary>
          <ul className="migration-matched">
            {overrides.map((override) => (
              <li key={override.id}>
                {findName(ruleset, override.id)} <span className="soft">({describeOverride(override)})</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function findName(ruleset: ManagedRuleset | undefined, ruleId: string): string {
  return ruleset?.rules.find(({ id }) => id === ruleId)?.description ?? ruleId;
}

export function RulesetForm(props: RulesetFormProps) {
  const isScoring = props.rule.action_parameters?.id === owaspRulesetId;
  return (
    <>
      {isScoring && <ScoreForm {...props} />}
      <RuleOverrides {...props} />
    </>
  );
}

function ScoreForm({ rule, onChange }: RulesetFormProps) {
  const score = findScoreOverride(rule);
  return (
    <div className="migration-fields">
      <Field label="Paranoia level" hint="Higher levels find more, and more that is harmless.">
        <Select
          value={readParanoiaLevel(rule)}
          onChange={(event) => onChange(setParanoiaLevel(rule, Number(event.target.value)))}
        >
          {paranoiaLevels.map((level) => (
            <option key={level} value={level}>
              PL{level}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Score threshold" hint="How much it takes to act.">
        <Select
          value={score?.score_threshold ?? 40}
          onChange={(event) =>
            onChange(mergeOverride(rule, scoreRuleId, { score_threshold: Number(event.target.value) }))
          }
        >
          {thresholds.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Action">
        <Select
          value={score?.action ?? 'block'}
          onChange={(event) => onChange(mergeOverride(rule, scoreRuleId, { action: event.target.value }))}
        >
          <ActionOptions />
        </Select>
      </Field>
    </div>
  );
}

function ActionOptions() {
  return actions.map((action) => (
    <option key={action} value={action}>
      {action.replaceAll('_', ' ')}
    </option>
  ));
}

function RuleOverrides({ zoneId, rule, onChange }: RulesetFormProps) {
  const ruleset = useManagedRuleset(zoneId, rule);
  const overrides = listRuleOverrides(rule);
  const set = (id: string, value: string): void => onChange(overrideRule(rule, id, toOverride(value)));
  return (
    <fieldset className="migration-choices">
      <legend>Overrides of single rules</legend>
      {overrides.length === 0 && <p className="soft">None: every rule does what the ruleset says.</p>}
      <ul className="migration-overrides">
        {overrides.map((override) => (
          <li key={override.id}>
            <span>{findName(ruleset, override.id)}</span>
            <select
              className="input input-small"
              aria-label={`Override of ${findName(ruleset, override.id)}`}
              value={override.enabled === false ? 'off' : (override.action ?? 'on')}
              onChange={(event) => set(override.id, event.target.value)}
            >
              <option value="off">off</option>
              <option value="on">on, default action</option>
              <ActionOptions />
            </select>
            <Button
              look="quiet"
              aria-label={`Remove override of ${findName(ruleset, override.id)}`}
              onClick={() => onChange(overrideRule(rule, override.id, undefined))}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <AddOverride ruleset={ruleset} onAdd={(id) => set(id, 'log')} />
    </fieldset>
  );
}

function toOverride(value: string): Omit<RuleOverride, 'id'> {
  if (value === 'off') return { enabled: false };
  return value === 'on' ? { enabled: true } : { action: value, enabled: true };
}

function AddOverride({
  ruleset,
  onAdd,
}: {
  readonly ruleset: ManagedRuleset | undefined;
  readonly onAdd: (ruleId: string) => void;
}) {
  const [typed, setTyped] = useState('');
  const listId = useId();
  const rules = (ruleset?.rules ?? []).filter(({ id }) => id !== scoreRuleId);
  const chosen = rules.find(({ id, description }) => typed === id || typed === description);
  return (
    <div className="row">
      <input
        className="input migration-add"
        aria-label="Rule to override"
        placeholder="Description or id of a rule"
        list={listId}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <datalist id={listId}>
        {rules.map(({ id, description }) => (
          <option key={id} value={description} />
        ))}
      </datalist>
      <Button
        disabled={chosen === undefined}
        onClick={() => {
          onAdd(chosen!.id);
          setTyped('');
        }}
      >
        Add override
      </Button>
    </div>
  );
}
