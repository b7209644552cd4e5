/** All filters, with the rules that use each. */
import { useQueryClient } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';
import { client } from '../../api/client.ts';
import type { Zone } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Pill } from '../../parts/pill.tsx';
import { Empty } from '../../parts/states.tsx';
import { tell, tellError } from '../../parts/toasts.tsx';
import { type Filter, type FirewallRule, nameOf } from './rules-api.ts';

interface FilterListProps {
  readonly zone: Zone;
  readonly rules: readonly FirewallRule[];
  readonly filters: readonly Filter[];
  readonly onEdit: (filterId: string) => void;
  readonly onEditRule: (ruleId: string) => void;
}

export function FilterList({ zone, rules, filters, onEdit, onEditRule }: FilterListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [deleting, setDeleting] = useState<Filter>();
  const uses = Map.groupBy(rules, ({ filter }) => filter.id);
  const virtual = useVirtualizer({
    count: filters.length,
    getScrollElement: () => frame.current,
    estimateSize: () => 92,
    overscan: 8,
  });
  if (filters.length === 0) {
    return (
      <Empty title="There is no filter yet">
        <p>A filter is an expression that rules refer to. Creating a rule creates its filter.</p>
      </Empty>
    );
  }
  return (
    <>
      <div ref={frame} className="firewall-rules-frame">
        <ol className="firewall-rules-list" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const filter = filters[index]!;
            return (
              <FilterRow
                key={filter.id}
                ref={virtual.measureElement}
                index={index}
                top={start}
                filter={filter}
                rules={uses.get(filter.id) ?? []}
                onEdit={() => onEdit(filter.id)}
                onEditRule={onEditRule}
                onDelete={() => setDeleting(filter)}
              />
            );
          })}
        </ol>
      </div>
      <DeleteFilter zone={zone} filter={deleting} onClose={() => setDeleting(undefined)} />
    </>
  );
}

interface FilterRowProps {
  readonly ref: (element: HTMLElement | null) => void;
  readonly index: number;
  readonly top: number;
  readonly filter: Filter;
  readonly rules: readonly FirewallRule[];
  readonly onEdit: () => void;
  readonly onEditRule: (ruleId: string) => void;
  readonly onDelete: () => void;
}

function FilterRow({ ref, index, top, filter, rules, onEdit, onEditRule, onDelete }: FilterRowProps) {
  const short = (filter.description || filter.expression).slice(0, 80);
  return (
    <li
      ref={ref}
      data-index={index}
      className="firewall-rules-row firewall-rules-filter"
      style={{ transform: `translateY(${top}px)` }}
    >
      <div className="firewall-rules-what">
        {filter.description !== undefined && (
          <span className="firewall-rules-name">{filter.description}</span>
        )}
        <code className="firewall-rules-whole">{filter.expression}</code>
        <div className="firewall-rules-uses">
          {filter.paused && <Pill tone="warn">paused: its rules match nothing</Pill>}
          {rules.length === 0 ? (
            <Pill>not used</Pill>
          ) : (
            <>
              <span className="soft">Used by</span>
              {rules.slice(0, 5).map((rule) => (
                <button
                  key={rule.id}
                  type="button"
                  className="firewall-rules-use"
                  onClick={() => onEditRule(rule.id)}
                >
                  {rule.action.replaceAll('_', ' ')}: {nameOf(rule).slice(0, 60)}
                </button>
              ))}
              {rules.length > 5 && <span className="soft">and {rules.length - 5} more</span>}
            </>
          )}
        </div>
      </div>
      <div className="firewall-rules-buttons">
        <Button look="quiet" aria-label={`Edit filter ${short}`} onClick={onEdit}>
          Edit
        </Button>
        <Button
          look="quiet"
          aria-label={`Delete filter ${short}`}
          disabled={rules.length > 0}
          title={
            rules.length > 0 ? 'Rules use it: delete these first, or change their expression.' : undefined
          }
          onClick={onDelete}
        >
          Delete
        </Button>
      </div>
    </li>
  );
}

interface DeleteFilterProps {
  readonly zone: Zone;
  readonly filter: Filter | undefined;
  readonly onClose: () => void;
}

function DeleteFilter({ zone, filter, onClose }: DeleteFilterProps) {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const remove = async (): Promise<void> => {
    setBusy(true);
    try {
      await client.delete('/zones/{zone_id}/filters/{filter_id}', {
        zone_id: zone.id,
        filter_id: filter!.id,
        query: { if_unused: true },
      });
      tell('Filter deleted');
    } catch (error) {
      tellError('The filter was not deleted', error);
    }
    await queries.invalidateQueries({ queryKey: ['filters', zone.id] });
    setBusy(false);
    onClose();
  };
  return (
    <Confirm
      title="Delete this filter?"
      isOpen={filter !== undefined}
      onClose={onClose}
      onConfirm={() => void remove()}
      action="Delete the filter"
      isBusy={isBusy}
    >
      <code className="firewall-rules-whole">{filter?.expression}</code>
      <p>No rule uses it. If one does by then, it stays.</p>
    </Confirm>
  );
}
