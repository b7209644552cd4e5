/** The most frequent values of a field, each with a link to the log. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type EventSearch, type EventSummary, summaryQuery } from '../../api/events.ts';
import { useZoneId } from '../../api/queries.ts';
import { Card } from '../../parts/card.tsx';
import { Resource } from '../../parts/reading/resource.tsx';

interface TopListProps {
  readonly search: EventSearch;
  readonly title: string;
  readonly field: string;
  /** A more readable field for the label. */
  readonly labelField?: string;
  /** The label of a value. */
  readonly format?: (value: string) => string;
  readonly hint?: string;
}

const rows = 6;

export function TopList(props: TopListProps) {
  const { search, title, field, labelField } = props;
  const by = labelField === undefined ? [field] : [field, labelField];
  return (
    <Card title={title}>
      <Resource of={useQuery(summaryQuery(useZoneId(), search, { by, limit: rows }))} rows={rows}>
        {(summary) => <Rows {...props} summary={summary} />}
      </Resource>
    </Card>
  );
}

function Rows({
  search,
  field,
  labelField,
  format = String,
  hint,
  summary,
}: TopListProps & { readonly summary: EventSummary }) {
  const zoneId = useZoneId();
  const groups = summary.groups.filter(({ dimensions }) => dimensions[field] !== '');
  if (groups.length === 0)
    return <p className="soft">{summary.total > 0 && hint !== undefined ? hint : 'Nothing in this time.'}</p>;
  const most = groups[0]!.count;
  return (
    <ol className="list">
      {groups.map(({ dimensions, count }) => {
        const value = String(dimensions[field]);
        const label = (labelField !== undefined && String(dimensions[labelField])) || format(value);
        return (
          <li key={value}>
            <Link
              to="/zones/$zoneId/activity"
              params={{ zoneId }}
              search={{ ...search, where: [`${field}:eq:${value}`] }}
              className="overview-bar"
              title={value}
            >
              <span className="overview-bar-fill" style={{ width: `${(count / most) * 100}%` }} />
              <span className="overview-bar-label cut">{label}</span>
              <span className="overview-bar-count">{count.toLocaleString()}</span>
            </Link>
          </li>
        );
      })}
    </ol>
  );
}
