/** The rules of a package: searched, and set to a mode one by one. */
import { useMemo, useState } from 'react';
import { Field, Select, TextInput } from '../../../parts/field.tsx';
import { Pill } from '../../../parts/pill.tsx';
import { Empty } from '../../../parts/states.tsx';
import { useChange } from '../changes.ts';
import { VirtualList } from '../virtual-list.tsx';
import { editRule, type LegacyGroup, type LegacyRule } from './legacy-api.ts';

interface RuleListProps {
  readonly zoneId: string;
  readonly title: string;
  readonly groups: readonly LegacyGroup[];
  readonly rules: readonly LegacyRule[];
}

const none = { text: '', groupId: '', mode: '' };

export function LegacyRuleList({ zoneId, title, groups, rules }: RuleListProps) {
  const [search, setSearch] = useState(none);
  const modes = useMemo(() => [...new Set(rules.map(({ mode }) => mode))].toSorted(), [rules]);
  const off = useMemo(
    () => new Set(groups.filter(({ mode }) => mode === 'off').map(({ id }) => id)),
    [groups],
  );
  const found = useMemo(() => filterRules(rules, search), [rules, search]);
  return (
    <section className="stack">
      <h3>
        Rules{' '}
        <span className="soft" role="status">
          {found.length === rules.length ? rules.length : `${found.length} of ${rules.length}`}
        </span>
      </h3>
      <div className="managed-rules-fields">
        <Field label="Search">
          <TextInput
            type="search"
            placeholder="Id or words of the description"
            value={search.text}
            onValueChange={(text) => setSearch({ ...search, text })}
          />
        </Field>
        <Field label="Group">
          <Select
            value={search.groupId}
            onChange={({ target }) => setSearch({ ...search, groupId: target.value })}
          >
            <option value="">All groups</option>
            {groups.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Mode">
          <Select value={search.mode} onChange={({ target }) => setSearch({ ...search, mode: target.value })}>
            <option value="">All modes</option>
            {modes.map((mode) => (
              <option key={mode}>{mode}</option>
            ))}
          </Select>
        </Field>
      </div>
      {found.length === 0 ? (
        <Empty title="No rule matches">
          <p>Search for other words, or show all groups and modes.</p>
        </Empty>
      ) : (
        <VirtualList label={`Rules of ${title}`} items={found} keyOf={({ id }) => id} rowHeight={64}>
          {(rule) => <RuleRow zoneId={zoneId} rule={rule} isGroupOff={off.has(rule.group.id)} />}
        </VirtualList>
      )}
    </section>
  );
}

function filterRules(rules: readonly LegacyRule[], search: typeof none): readonly LegacyRule[] {
  const words = search.text.toLowerCase().split(/\s+/).filter(Boolean);
  return rules.filter(({ id, description, group, mode }) => {
    const text = `${id} ${description}`.toLowerCase();
    return (
      (search.groupId === '' || group.id === search.groupId) &&
      (search.mode === '' || mode === search.mode) &&
      words.every((word) => text.includes(word))
    );
  });
}

interface RuleRowProps {
  readonly zoneId: string;
  readonly rule: LegacyRule;
  readonly isGroupOff: boolean;
}

function RuleRow({ zoneId, rule, isGroupOff }: RuleRowProps) {
  const change = useChange({
    zoneId,
    change: (mode: string) => editRule(zoneId, rule, mode),
    done: `Saved rule ${rule.id}`,
    failed: `Rule ${rule.id} could not be changed`,
  });
  const mode = change.isPending ? change.variables : rule.mode;
  return (
    <div className="managed-rules-row">
      <div className="managed-rules-what">
        <p>{rule.description}</p>
        <p className="soft">
          <code>{rule.id}</code> · {rule.group.name}{' '}
          {isGroupOff && <Pill tone="warn">group off: does nothing</Pill>}
        </p>
      </div>
      <select
        className="input input-small"
        aria-label={`Mode of rule ${rule.id}`}
        value={mode}
        onChange={({ target }) => change.mutate(target.value)}
      >
        {rule.allowed_modes.map((allowed) => (
          <option key={allowed} value={allowed}>
            {allowed === 'default' ? `default (${rule.default_mode})` : allowed}
          </option>
        ))}
      </select>
    </div>
  );
}
