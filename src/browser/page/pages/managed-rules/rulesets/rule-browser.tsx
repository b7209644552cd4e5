/** All rules of a managed ruleset: searched by words, tag and score, and overridden individually. */
import { useMemo } from 'react';
import {
  editRule,
  type Effective,
  findRuleOverride,
  incrementOf,
  type ManagedRule,
  type OverrideEdit,
  type Overrides,
  resolveInherited,
} from '../../../api/managed/overrides.ts';
import { Card } from '../../../parts/card.tsx';
import { SelectField, TextField } from '../../../parts/forms/field.tsx';
import { type Bind, useFields } from '../../../parts/forms/fields.ts';
import { ActionPill, Pill } from '../../../parts/pill.tsx';
import { Message } from '../../../parts/reading/states.tsx';
import { VirtualList } from '../../../parts/virtual-list.tsx';
import { OverrideSelects } from './override-selects.tsx';
import { groupTags, TagOptions } from './tags.tsx';

interface RuleBrowserProps {
  readonly rules: readonly ManagedRule[];
  readonly overrides: Overrides;
  /** Absent while the ruleset is not deployed, when nothing can be overridden. */
  readonly onChange?: (overrides: Overrides) => void;
}

interface BrowsedRule {
  readonly rule: ManagedRule;
  readonly own: ReturnType<typeof findRuleOverride>;
  readonly inherited: Effective;
}

const everything = { text: '', tag: '', state: '', score: '' };
type Search = typeof everything;

export function RuleBrowser({ rules, overrides, onChange }: RuleBrowserProps) {
  const { value: search, bind } = useFields(everything);
  const rows = useMemo(() => rules.map((rule) => toRow(rule, overrides)), [rules, overrides]);
  const found = useMemo(() => rows.filter((row) => isFound(row, search)), [rows, search]);
  return (
    <Card
      title={
        <>
          Rules{' '}
          <span className="soft" role="status">
            {found.length === rules.length
              ? rules.length.toLocaleString()
              : `${found.length.toLocaleString()} of ${rules.length.toLocaleString()}`}
          </span>
        </>
      }
    >
      <div className="stack">
        <SearchFields rules={rules} bind={bind} />
        {found.length === 0 ? (
          <Message title="No rule matches">Search for other words, or choose all tags.</Message>
        ) : (
          <VirtualList label="Rules" items={found} keyOf={({ rule }) => rule.id} rowHeight={72}>
            {(row) => (
              <RuleRow
                row={row}
                onEdit={onChange && ((edit) => onChange(editRule(overrides, row.rule.id, edit)))}
              />
            )}
          </VirtualList>
        )}
      </div>
    </Card>
  );
}

interface SearchFieldsProps {
  readonly rules: readonly ManagedRule[];
  readonly bind: Bind<Search>;
}

const states = { on: 'On', off: 'Off', overridden: 'With an override of their own' };

function SearchFields({ rules, bind }: SearchFieldsProps) {
  const groups = useMemo(() => groupTags(rules), [rules]);
  const scores = useMemo(() => listScores(rules), [rules]);
  return (
    <div className="grid">
      <TextField
        label="Search"
        type="search"
        placeholder="Words of the description, tag or id"
        {...bind('text')}
      />
      <SelectField label="Tag" {...bind('tag')}>
        <option value="">All tags</option>
        <TagOptions groups={groups} />
      </SelectField>
      {scores.length > 0 && (
        <SelectField
          label="Score"
          options={Object.fromEntries(scores.map((score) => [score, `${score} points`]))}
          {...bind('score')}
        >
          <option value="">Any</option>
        </SelectField>
      )}
      <SelectField label="Show" options={states} {...bind('state')}>
        <option value="">All rules</option>
      </SelectField>
    </div>
  );
}

function listScores(rules: readonly ManagedRule[]): readonly number[] {
  const scores = rules.flatMap((rule) => incrementOf(rule) ?? []);
  return [...new Set(scores)].sort((a, b) => a - b);
}

function toRow(rule: ManagedRule, overrides: Overrides): BrowsedRule {
  return { rule, own: findRuleOverride(overrides, rule.id), inherited: resolveInherited(rule, overrides) };
}

function isFound({ rule, own, inherited }: BrowsedRule, { text, tag, state, score }: Search): boolean {
  const { id, description = '', categories = [] } = rule;
  const searched = `${description} ${categories.join(' ')} ${id}`.toLowerCase();
  const isOn = own?.enabled ?? inherited.enabled;
  return (
    (tag === '' || categories.includes(tag)) &&
    (score === '' || String(incrementOf(rule)) === score) &&
    (state === '' || (state === 'overridden' ? own !== undefined : isOn === (state === 'on'))) &&
    text
      .toLowerCase()
      .split(/\s+/)
      .every((word) => searched.includes(word))
  );
}

interface RuleRowProps {
  readonly row: BrowsedRule;
  readonly onEdit: ((edit: OverrideEdit) => void) | undefined;
}

function RuleRow({ row: { rule, own, inherited }, onEdit }: RuleRowProps) {
  const increment = incrementOf(rule);
  return (
    <div className="row">
      <div className="grow">
        <p>{rule.description}</p>
        <p className="row">
          {increment === undefined ? (
            <ActionPill action={own?.action ?? inherited.action} />
          ) : (
            <Pill tone="info">+{increment} points</Pill>
          )}
          {!(own?.enabled ?? inherited.enabled) && <Pill tone="warn">off</Pill>}
          {rule.categories?.map((tag) => (
            <code key={tag} className="soft">
              {tag}
            </code>
          ))}
        </p>
      </div>
      {onEdit !== undefined && (
        <OverrideSelects
          name={rule.description ?? rule.id}
          value={own ?? {}}
          inherited={inherited}
          hasAction={increment === undefined}
          onChange={onEdit}
        />
      )}
    </div>
  );
}
