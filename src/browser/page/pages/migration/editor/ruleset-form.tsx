/** The overrides of a managed ruleset: single rules and, for the OWASP ruleset, level, score and action. */
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Result } from '#client';
import { catalogueQuery, type EntryRule } from '../../../api/managed/entry-point.ts';
import { owaspRulesetId, paranoiaLevels, scoreRuleId } from '../../../api/managed/ids.ts';
import {
  findRuleOverride,
  type OverrideEdit,
  readParanoiaLevel,
  type RuleOverride,
  setParanoiaLevel,
  verdictNames,
} from '../../../api/managed/overrides.ts';
import { useZoneId } from '../../../api/queries.ts';
import { Button } from '../../../parts/button.tsx';
import { Select, SelectField } from '../../../parts/forms/field.tsx';
import { changeOverrides, mergeOverride, overrideRule, overridesOf } from './configuration.ts';
import { countThings } from '../../../parts/reading/count-things.ts';

interface RulesetFormProps {
  readonly rule: EntryRule;
  readonly onChange: (rule: EntryRule) => void;
}

type Catalogue = Result<'rulesets.get'>['rules'];

function useCatalogue({ action_parameters }: EntryRule): Catalogue {
  const id = action_parameters?.id;
  const { data } = useQuery({ ...catalogueQuery(useZoneId(), id ?? 'none'), enabled: id !== undefined });
  return data?.rules ?? [];
}

function listRuleOverrides(rule: EntryRule): readonly RuleOverride[] {
  return (overridesOf(rule).rules ?? []).filter(({ id }) => id !== scoreRuleId);
}

function isScoring({ action_parameters }: EntryRule): boolean {
  return action_parameters?.id === owaspRulesetId;
}

function findName(rules: Catalogue, ruleId: string): string {
  return rules.find(({ id }) => id === ruleId)?.description ?? ruleId;
}

export function OverrideSummary({ rule }: { readonly rule: EntryRule }) {
  const catalogue = useCatalogue(rule);
  const overrides = listRuleOverrides(rule);
  const score = findRuleOverride(overridesOf(rule), scoreRuleId);
  if (overrides.length === 0 && !isScoring(rule)) return 'none: every rule uses its default';
  return (
    <>
      {isScoring(rule) && (
        <p>
          paranoia level {readParanoiaLevel(overridesOf(rule))}, score {score?.score_threshold ?? 40} and
          higher: {verdictNames[score?.action ?? 'block']}
        </p>
      )}
      {overrides.length > 0 && (
        <details>
          <summary>{countThings(overrides.length, 'rule')}</summary>
          <ul className="list small">
            {overrides.map(({ id, enabled, action }) => (
              <li key={id}>
                {findName(catalogue, id)}{' '}
                <span className="soft">
                  ({enabled === false ? 'off' : (action?.replaceAll('_', ' ') ?? 'on')})
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

export function RulesetForm(props: RulesetFormProps) {
  return (
    <>
      {isScoring(props.rule) && <ScoreForm {...props} />}
      <RuleOverrides {...props} />
    </>
  );
}

const levels = Object.fromEntries(paranoiaLevels.map((level) => [level, `PL${level}`]));
const thresholds: Readonly<Record<string, string>> = {
  60: 'Low: 60 and higher',
  40: 'Medium: 40 and higher',
  25: 'High: 25 and higher',
};

function ScoreForm({ rule, onChange }: RulesetFormProps) {
  const overrides = overridesOf(rule);
  const score = findRuleOverride(overrides, scoreRuleId);
  const merge = (change: OverrideEdit): void => onChange(mergeOverride(rule, scoreRuleId, change));
  return (
    <div className="grid">
      <SelectField
        label="Paranoia level"
        hint="Higher levels detect more, with more false alarms."
        options={levels}
        value={String(readParanoiaLevel(overrides))}
        onChange={(level) => onChange(changeOverrides(rule, setParanoiaLevel(overrides, Number(level))))}
      />
      <SelectField
        label="Score threshold"
        hint="The score from which the rule acts."
        options={thresholds}
        value={String(score?.score_threshold ?? 40)}
        onChange={(threshold) => merge({ score_threshold: Number(threshold) })}
      />
      <SelectField
        label="Action"
        options={verdictNames}
        value={score?.action ?? 'block'}
        onChange={(action) => merge({ action })}
      />
    </div>
  );
}

const choices: Readonly<Record<string, string>> = { off: 'off', on: 'on, default action', ...verdictNames };

function RuleOverrides({ rule, onChange }: RulesetFormProps) {
  const catalogue = useCatalogue(rule);
  const overrides = listRuleOverrides(rule);
  const set = (id: string, value: string): void => onChange(overrideRule(rule, id, toOverride(value)));
  return (
    <fieldset className="stack-close">
      <legend>Overrides of single rules</legend>
      {overrides.length === 0 && <p className="soft">None: every rule uses its default.</p>}
      {overrides.map(({ id, action, enabled }) => {
        const name = findName(catalogue, id);
        return (
          <div key={id} className="row">
            <span className="grow">{name}</span>
            <Select
              className="input-small"
              aria-label={`Override of ${name}`}
              options={choices}
              value={enabled === false ? 'off' : (action ?? 'on')}
              onChange={(value) => set(id, value)}
            />
            <Button
              look="quiet"
              aria-label={`Remove override of ${name}`}
              onClick={() => onChange(overrideRule(rule, id))}
            >
              Remove
            </Button>
          </div>
        );
      })}
      <AddOverride rules={catalogue} onAdd={(id) => set(id, 'log')} />
    </fieldset>
  );
}

function toOverride(value: string): OverrideEdit {
  if (value === 'off') return { enabled: false };
  return value === 'on' ? { enabled: true } : { action: value, enabled: true };
}

interface AddOverrideProps {
  readonly rules: Catalogue;
  readonly onAdd: (ruleId: string) => void;
}

function AddOverride({ rules, onAdd }: AddOverrideProps) {
  const [typed, setTyped] = useState('');
  const listId = useId();
  const offered = rules.filter(({ id }) => id !== scoreRuleId);
  const chosen = offered.find(({ id, description }) => typed === id || typed === description);
  return (
    <div className="row">
      <input
        className="input grow"
        aria-label="Rule to override"
        placeholder="Description or id of a rule"
        list={listId}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <datalist id={listId}>
        {offered.map(({ id, description }) => (
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
