/** Common values of the found events: the most frequent values of some fields, to search for and to exclude. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type EventFacet, type EventSearch, facetsQuery } from '../../api/events.ts';
import { listVerdicts } from '../../api/verdicts.ts';
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
const title = 'Most frequent values';

export function Facets({ search, onAdd }: FacetsProps) {
  const { data } = useQuery({
    ...facetsQuery(useZoneId(), search, fields),
    placeholderData: keepPreviousData,
  });
  const hasRoom = useHasRoomBeside();
  if (data === undefined) return hasRoom ? <div className="facets" /> : null;
  const all = (
    <nav className="facets" aria-label={title}>
      <VerdictFacet facets={data.facets} total={data.total} onAdd={onAdd} />
      {data.facets.map((facet) => (
        <Facet key={facet.field} facet={facet} total={data.total} onAdd={onAdd} />
      ))}
    </nav>
  );
  if (hasRoom) return all;
  return (
    <details>
      <summary>{title}</summary>
      {all}
    </details>
  );
}

interface FacetProps extends Pick<FacetsProps, 'onAdd'> {
  readonly facet: EventFacet;
  readonly total: number;
}

function Facet({ facet: { field, values }, total, onAdd }: FacetProps) {
  return (
    <FacetList
      label={labelOf(field)}
      total={total}
      values={values
        .filter(({ value }) => value !== '')
        .map(({ value, name = String(value), count }) => ({
          name,
          count,
          onInclude: () => onAdd({ field, operator: 'eq', value: String(value) }),
          onExclude: () => onAdd({ field, operator: 'neq', value: String(value) }),
        }))}
    />
  );
}

interface VerdictFacetProps extends Pick<FacetProps, 'total' | 'onAdd'> {
  readonly facets: readonly EventFacet[];
}

/** The outcomes of requests: several actions have the same outcome. */
function VerdictFacet({ facets, total, onAdd }: VerdictFacetProps) {
  const actions = facets.find(({ field }) => field === 'action')?.values ?? [];
  return (
    <FacetList
      label="Verdict"
      total={total}
      values={listVerdicts(actions).map(({ label, count, actions: same }) => ({
        name: label,
        count,
        onInclude: () => onAdd({ field: 'action', operator: 'in', value: same.join() }),
        onExclude: () => onAdd({ field: 'action', operator: 'notin', value: same.join() }),
      }))}
    />
  );
}

interface FacetListProps {
  readonly label: string;
  readonly total: number;
  readonly values: readonly Omit<FacetValueProps, 'label' | 'share'>[];
}

function FacetList({ label, total, values }: FacetListProps) {
  if (values.length === 0) return null;
  return (
    <section className="stack-tight">
      <h2 className="small">{label}</h2>
      <ul className="list facet-values">
        {values.map((value) => (
          <FacetValue key={value.name} label={label} share={value.count / Math.max(1, total)} {...value} />
        ))}
      </ul>
    </section>
  );
}

interface FacetValueProps {
  readonly label: string;
  readonly name: string;
  readonly count: number;
  /** The share of all found events. */
  readonly share: number;
  readonly onInclude: () => void;
  readonly onExclude: () => void;
}

function FacetValue({ label, name, count, share, onInclude, onExclude }: FacetValueProps) {
  return (
    <li className="facet-value" style={{ backgroundSize: `${Math.round(share * 100)}% 100%` }}>
      <button type="button" className="activity-value cut" title={name} onClick={onInclude}>
        {name}
      </button>
      <span className="soft facet-count">{count.toLocaleString()}</span>
      <button
        type="button"
        className="activity-value facet-out"
        aria-label={`Leave out ${label} ${name}`}
        title="Leave it out"
        onClick={onExclude}
      >
        −
      </button>
    </li>
  );
}
