/** What the found events have in common: the most frequent values of some fields, to search for and to leave out. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type EventSearch, type EventSummary, summaryQuery } from '../../api/events.ts';
import { useZoneId } from '../../api/queries.ts';
import { useHasRoomBeside } from '../../parts/use-width.ts';
import { labelOf } from './fields.ts';
import type { Condition } from './search.ts';

interface FacetsProps {
  readonly search: EventSearch;
  readonly onAdd: (condition: Condition) => void;
}

const fields = [
  'action',
  'ruleId',
  'clientRequestPath',
  'clientCountryName',
  'clientASNDescription',
  'clientIP',
  'userAgent',
] as const;
const valuesMax = 5;
const title = 'What they have in common';

export function Facets(props: FacetsProps) {
  const all = (
    <nav className="facets" aria-label={title}>
      {fields.map((field) => (
        <Facet key={field} field={field} {...props} />
      ))}
    </nav>
  );
  if (useHasRoomBeside()) return all;
  return (
    <details>
      <summary>{title}</summary>
      {all}
    </details>
  );
}

interface FacetProps extends FacetsProps {
  readonly field: string;
}

type Group = EventSummary['groups'][number];

function Facet({ field, search, onAdd }: FacetProps) {
  // A rule is counted by its id, and known by what it is called.
  const by = field === 'ruleId' ? [field, 'description'] : [field];
  const { data } = useQuery({
    ...summaryQuery(useZoneId(), search, { by, limit: valuesMax }),
    placeholderData: keepPreviousData,
  });
  const groups = (data?.groups ?? []).filter(({ dimensions }) => dimensions[field] !== '');
  if (data === undefined || groups.length === 0) return null;
  return (
    <section className="stack-tight">
      <h3 className="small">{labelOf(field)}</h3>
      <ul className="list facet-values">
        {groups.map((group) => (
          <FacetValue
            key={String(group.dimensions[field])}
            field={field}
            group={group}
            share={group.count / Math.max(1, data.total)}
            onAdd={onAdd}
          />
        ))}
      </ul>
    </section>
  );
}

interface FacetValueProps extends Pick<FacetProps, 'field' | 'onAdd'> {
  readonly group: Group;
  /** Of all events that were found. */
  readonly share: number;
}

function FacetValue({ field, group: { count, dimensions }, share, onAdd }: FacetValueProps) {
  const value = String(dimensions[field]);
  const name = String(dimensions['description'] || value);
  const add = (operator: 'eq' | 'neq'): void => onAdd({ field, operator, value });
  return (
    <li className="facet-value" style={{ backgroundSize: `${Math.round(share * 100)}% 100%` }}>
      <button type="button" className="activity-value cut" title={name} onClick={() => add('eq')}>
        {name}
      </button>
      <span className="soft facet-count">{count.toLocaleString()}</span>
      <button
        type="button"
        className="activity-value facet-out"
        aria-label={`Leave out ${labelOf(field)} ${name}`}
        title="Leave it out"
        onClick={() => add('neq')}
      >
        −
      </button>
    </li>
  );
}
