/** All filters, with the rules that use each. */
import { client } from '../../api/client.ts';
import { useZone, useZoneId } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/forms/write-button.tsx';
import { Pill } from '../../parts/pill.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { nameOf } from '../rules/listed-rule.ts';
import { type Filter, filterPath, type FirewallRule, toListed } from './rules-api.ts';

interface FilterListProps {
  readonly rules: readonly FirewallRule[];
  readonly filters: readonly Filter[];
  readonly onEdit: (filterId: string) => void;
  readonly onEditRule: (ruleId: string) => void;
}

export function FilterList({ rules, filters, onEdit, onEditRule }: FilterListProps) {
  const { name } = useZone();
  const uses = Map.groupBy(rules, ({ filter }) => filter.id);
  if (filters.length === 0) {
    return (
      <Empty
        title="There is no filter yet"
        command={`gatehouse filters create ${name} --expression 'http.request.uri.path eq "/login"'`}
      >
        A filter is an expression that rules refer to. Creating a rule creates its filter.
      </Empty>
    );
  }
  return (
    <VirtualList label="Filters" items={filters} keyOf={({ id }) => id} rowHeight={92}>
      {(filter) => (
        <FilterRow
          filter={filter}
          rules={uses.get(filter.id) ?? []}
          onEdit={() => onEdit(filter.id)}
          onEditRule={onEditRule}
        />
      )}
    </VirtualList>
  );
}

interface FilterRowProps {
  readonly filter: Filter;
  readonly rules: readonly FirewallRule[];
  readonly onEdit: () => void;
  readonly onEditRule: (ruleId: string) => void;
}

function FilterRow({ filter, rules, onEdit, onEditRule }: FilterRowProps) {
  const short = (filter.description || filter.expression).slice(0, 80);
  return (
    <div className="row">
      <div className="grow">
        <strong>{filter.description}</strong>
        <code className="firewall-rules-whole">{filter.expression}</code>
        <div className="row small">
          {filter.paused && <Pill tone="warn">paused: its rules match nothing</Pill>}
          {rules.length === 0 ? <Pill>not used</Pill> : <span className="soft">Used by</span>}
          {rules.slice(0, 5).map((rule) => (
            <Button key={rule.id} look="link" onClick={() => onEditRule(rule.id)}>
              {rule.action.replaceAll('_', ' ')}: {nameOf(toListed(rule)).slice(0, 60)}
            </Button>
          ))}
          {rules.length > 5 && <span className="soft">and {rules.length - 5} more</span>}
        </div>
      </div>
      <Button look="quiet" aria-label={`Edit filter ${short}`} onClick={onEdit}>
        Edit
      </Button>
      <DeleteButton filter={filter} name={short} isUsed={rules.length > 0} />
    </div>
  );
}

interface DeleteButtonProps {
  readonly filter: Filter;
  readonly name: string;
  readonly isUsed: boolean;
}

function DeleteButton({ filter, name, isUsed }: DeleteButtonProps) {
  const zone_id = useZoneId();
  const query = { if_unused: true };
  return (
    <ConfirmButton
      label="Delete"
      look="quiet"
      aria-label={`Delete filter ${name}`}
      disabled={isUsed}
      hint={isUsed ? 'Rules use it: delete them first, or change their expressions.' : undefined}
      title="Delete this filter?"
      action="Delete the filter"
      write={() => client.delete(filterPath, { zone_id, filter_id: filter.id, query })}
      done="Filter deleted"
      failed="The filter was not deleted"
    >
      <code className="firewall-rules-whole">{filter.expression}</code>
      <p>No rule uses it. If a rule uses it by then, it is not deleted.</p>
    </ConfirmButton>
  );
}
