/** What an exception would have let through, counted in the log. */
import { Link } from '@tanstack/react-router';
import type { EventSearch, EventSummary } from '../../api/events.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';

interface TriedOnLogProps {
  readonly zoneId: string;
  readonly summary: EventSummary;
  readonly affected: Pick<EventSearch, 'where' | 'expression'>;
  readonly since: string;
}

const columns: readonly Column<EventSummary['groups'][number]>[] = [
  { title: 'Path', kind: 'mono', cell: ({ dimensions }) => dimensions['clientRequestPath'] },
  { title: 'Address', kind: 'mono', cell: ({ dimensions }) => dimensions['clientIP'] },
  { title: 'Events', kind: 'number', cell: ({ count }) => count.toLocaleString() },
];

export function TriedOnLog({ zoneId, summary, affected, since }: TriedOnLogProps) {
  const shown = summary.groups.reduce((sum, { count }) => sum + count, 0);
  return (
    <section className="stack-close">
      <h3>What it would have let through, by the log</h3>
      <DataTable
        label="Events that would not have happened"
        columns={columns}
        rows={summary.groups}
        keyOf={(_, index) => index}
      />
      <p className="row">
        {shown < summary.total && (
          <span className="soft">and {(summary.total - shown).toLocaleString()} more</span>
        )}
        <Link to="/zones/$zoneId/activity" params={{ zoneId }} search={{ since, ...affected }}>
          Look at these events
        </Link>
      </p>
    </section>
  );
}
