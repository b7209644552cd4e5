/** All rules of a managed ruleset: searched by words, tag and score, and overridden one by one. */
import { useMemo, useState } from 'react';
import { Card } from '../../../parts/card.tsx';
import { Field, Select, TextInput } from '../../../parts/field.tsx';
import { ActionPill, Pill } from '../../../parts/pill.tsx';
import { Empty } from '../../../parts/states.tsx';
import { VirtualList } from '../virtual-list.tsx';
import { OverrideSelects } from './override-selects.tsx';
import {
  incrementOf,
  editRule,
  type Effective,
  findRuleOverride,
  type ManagedRule,
  type Overrides,
  resolveInherited,
} from './overrides.ts';
import { TagOptions } from './tag-options.tsx';
import { groupTags } from './tags.ts';

interface RuleBrowserProps {
  readonly rules: readonly ManagedRule[];
  readonly overrides: Overrides;
  /** Absent while the ruleset is not deployed: there is nothing to override. */
  readonly onChange?: (overrides: Overrides) => void;
}

interface Row {
  readonly rule: ManagedRule;
  readonly own: ReturnType<typeof findRuleOverride>;
  readonly inherited: Effective;
}

const everything = { text: '', tag: '', state: '', score: '' };
type Search = typeof everything;

export function RuleBrowser({ rules, overrides, onChange }: RuleBrowserProps) {
  const [search, setSearch] = useState(everything);
  const rows = useMemo(() => rules.map((rule) => toRow(rule, overrides)), [rules, overrides]);
  const found = useMemo(() => rows.filter((row) => isFound(row, search)), [rows, search]);
  return (
    <Card
      title={
        <>
          Rules{' '}
          <span className="soft" role="status">
            {found.length === rules.length ? rules.length : `${found.length} of ${rules.length}`}
          </span>
        </>
      }
    >
      <div className="stack">
        <SearchFields rules={rules} search={search} onChange={setSearch} />
        {found.length === 0 ? (
          <Empty title="No rule matches">
            <p>Search for other words, or choose all tags.</p>
          </Empty>
        ) : (
          <VirtualList label="Rules" items={found} keyOf={({ rule }) => rule.id} rowHeight={72}>
            {(row) => (
              <RuleRow
                row={row}
                {...(onChange === undefined
                  ? {}
                  : { onEdit: (edit) => onChange(editRule(overrides, row.rule.id, edit)) })}
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
  readonly search: Search;
  readonly onChange: (search: Search) => void;
}

function SearchFields({ rules, search, onChange }: SearchFieldsProps) {
  const groups = useMemo(() => groupTags(rules), [rules]);
  const scores = useMemo(() => listScores(rules), [rules]);
  return (
    <div className="managed-rules-fields">
      <Field label="Search">
        <TextInput
          type="search"
          placeholder="Words of the description, tag or id"
          value={search.text}
          onValueChange={(text) => onChange({ ...search, text })}
        />
      </Field>
      <Field label="Tag">
        <Select value={search.tag} onChange={({ target }) => onChange({ ...search, tag: target.value })}>
          <option value="">All tags</option>
          <TagOptions groups={groups} />
        </Select>
      </Field>
      {scores.length > 0 && (
        <Field label="Score">
          <Select
            value={search.score}
            onChange={({ target }) => onChange({ ...search, score: target.value })}
          >
            <option value="">Any</option>
            {scores.map((score) => (
              <option key={score} value={score}>
                {score} points
              </option>
            ))}
          </Select>
        </Field>
      )}
      <Field label="Show">
        <Select value={search.state} onChange={({ target }) => onChange({ ...search, state: target.value })}>
          <option value="">All rules</option>
          <option value="on">On</option>
          <option value="off">Off</option>
          <option value="overridden">With an override of their own</option>
        </Select>
      </Field>
    </div>
  );
}

function listScores(rules: readonly ManagedRule[]): readonly number[] {
  const scores = rules.flatMap((rule) => incrementOf(rule) ?? []);
  return [...new Set(scores)].sort((a, b) => a - b);
}

function toRow(rule: ManagedRule, overrides: Overrides): Row {
  return { rule, own: findRuleOverride(overrides, rule.id), inherited: resolveInherited(rule, overrides) };
}

function isFound({ rule, own, inherited }: Row, { text, tag, state, score }: Search): boolean {
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
  readonly row: Row;
  readonly onEdit?: (edit: Parameters<typeof editRule>[2]) => void;
}

function RuleRow({ row: { rule, own, inherited }, onEdit }: RuleRowProps) {
  const increment = incrementOf(rule);
  return (
    <div className="managed-rules-row">
      <div className="managed-rules-what">
        <p>{rule.description}</p>
        <p className="managed-rules-tags">
          {increment === undefined ? (
            <ActionPill action={own?.action ?? inherited.action} />
          ) : (
            <Pill tone="info">+{increment} points</Pill>
          )}
          {!(own?.enabled ?? inherited.enabled) && <Pill tone="warn">off</Pill>}
          {rule.categories?.map((tag) => (
            <code key={tag} className="managed-rules-tag">
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
