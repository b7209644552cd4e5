/** What an exception would have let through, counted in the log. */
import { Link } from '@tanstack/react-router';
import type { EventSearch, EventSummary } from '../../api/events.ts';
import { numbers, TableHead } from '../../parts/table.tsx';

interface TriedOnLogProps {
  readonly zoneId: string;
  readonly summary: EventSummary;
  readonly affected: EventSearch;
}

export function TriedOnLog({ zoneId, summary, affected }: TriedOnLogProps) {
  const shown = summary.groups.reduce((sum, { count }) => sum + count, 0);
  return (
    <section className="activity-tried">
      <h3>What it would have let through, by the log</h3>
      <table className="table">
        <TableHead columns={['Path', 'Address', numbers('Events')]} />
        <tbody>
          {summary.groups.map(({ dimensions, count }, index) => (
            <tr key={index}>
              <td className="mono">{dimensions['clientRequestPath']}</td>
              <td className="mono">{dimensions['clientIP']}</td>
              <td className="number">{count.toLocaleString()}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="row">
        {shown < summary.total && (
          <span className="soft">and {(summary.total - shown).toLocaleString()} more</span>
        )}
        <Link to="/zones/$zoneId/activity" params={{ zoneId }} search={affected}>
          Look at these events
        </Link>
      </p>
    </section>
  );
}
