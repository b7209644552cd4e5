/** What an exception would have let through, counted in the log. */
import { Link } from '@tanstack/react-router';
import type { EventSearch, EventSummary } from '../../../api/events.ts';
import { useZoneId } from '../../../api/queries.ts';
import { type Column, DataTable } from '../../../parts/data-table.tsx';

interface TriedOnLogProps {
  readonly summary: EventSummary;
  readonly affected: EventSearch;
}

const columns: readonly Column<EventSummary['groups'][number]>[] = [
  { title: 'Path', kind: 'mono', cell: ({ dimensions }) => dimensions['clientRequestPath'] },
  { title: 'Address', kind: 'mono', cell: ({ dimensions }) => dimensions['clientIP'] },
  { title: 'Events', kind: 'number', cell: ({ count }) => count.toLocaleString() },
];

export function TriedOnLog({ summary: { groups, total }, affected }: TriedOnLogProps) {
  const shown = groups.reduce((sum, { count }) => sum + count, 0);
  return (
    <section className="stack-close">
      <h3>Logged requests that it would have let through</h3>
      <DataTable label="Events that it would have prevented" columns={columns} rows={groups} />
      <p className="row">
        {shown < total && <span className="soft">and {(total - shown).toLocaleString()} more</span>}
        <Link to="/zones/$zoneId/activity" params={{ zoneId: useZoneId() }} search={affected}>
          Show these events
        </Link>
      </p>
    </section>
  );
}
