/** The rules of a package, with a search and a mode for each. */
import { useMemo } from 'react';
import { useZoneId } from '../../../api/queries.ts';
import { Select, SelectField, TextField } from '../../../parts/forms/field.tsx';
import { useFields } from '../../../parts/forms/fields.ts';
import { Pill } from '../../../parts/pill.tsx';
import { Message } from '../../../parts/reading/states.tsx';
import { useWrite } from '../../../parts/forms/use-write.ts';
import { VirtualList } from '../../../parts/virtual-list.tsx';
import { editRule, type LegacyGroup, type LegacyRule } from './legacy-api.ts';

interface RuleListProps {
  readonly title: string;
  readonly groups: readonly LegacyGroup[];
  readonly rules: readonly LegacyRule[];
}

const none = { text: '', groupId: '', mode: '' };

export function LegacyRuleList({ title, groups, rules }: RuleListProps) {
  const { value: search, bind } = useFields(none);
  const found = useMemo(() => filterRules(rules, search), [rules, search]);
  const modes = [...new Set(rules.map(({ mode }) => mode))].toSorted();
  const off = new Set(groups.filter(({ mode }) => mode === 'off').map(({ id }) => id));
  return (
    <section className="stack">
      <h3>
        Rules{' '}
        <span className="soft" role="status">
          {found.length === rules.length
            ? rules.length.toLocaleString()
            : `${found.length.toLocaleString()} of ${rules.length.toLocaleString()}`}
        </span>
      </h3>
      <div className="grid">
        <TextField
          label="Search"
          type="search"
          placeholder="Id or words of the description"
          {...bind('text')}
        />
        <SelectField
          label="Group"
          options={Object.fromEntries(groups.map(({ id, name }) => [id, name]))}
          {...bind('groupId')}
        >
          <option value="">All groups</option>
        </SelectField>
        <SelectField label="Mode" options={modes} {...bind('mode')}>
          <option value="">All modes</option>
        </SelectField>
      </div>
      {found.length === 0 ? (
        <Message title="No rule matches">Search for other words, or show all groups and modes.</Message>
      ) : (
        <VirtualList label={`Rules of ${title}`} items={found} keyOf={({ id }) => id} rowHeight={64}>
          {(rule) => <RuleRow rule={rule} isGroupOff={off.has(rule.group.id)} />}
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

function RuleRow({ rule, isGroupOff }: { readonly rule: LegacyRule; readonly isGroupOff: boolean }) {
  const zoneId = useZoneId();
  const change = useWrite({
    write: (mode: LegacyRule['mode']) => editRule(zoneId, rule, mode),
    done: `Saved rule ${rule.id}`,
    failed: `Rule ${rule.id} could not be changed`,
  });
  const describe = (mode: string) => [mode, mode === 'default' ? `default (${rule.default_mode})` : mode];
  return (
    <div className="row">
      <div className="grow">
        <p>{rule.description}</p>
        <p className="soft">
          <code>{rule.id}</code> · {rule.group.name}{' '}
          {isGroupOff && <Pill tone="warn">group off: does nothing</Pill>}
        </p>
      </div>
      <Select
        className="input-small"
        aria-label={`Mode of rule ${rule.id}`}
        options={Object.fromEntries(rule.allowed_modes.map(describe))}
        value={change.isPending ? change.variables : rule.mode}
        onChange={(mode) => change.mutate(mode)}
      />
    </div>
  );
}
