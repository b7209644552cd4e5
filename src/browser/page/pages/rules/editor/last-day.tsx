/** What the expression would have matched among the logged requests. The log contains those that a rule acted on. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ApiError } from '#client';
import { describeError } from '../../../api/api-error.ts';
import { countEvents, findEvents } from '../../../api/events.ts';
import { useZoneId } from '../../../api/queries.ts';
import type { SecurityEvent } from '../../../api/types.ts';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { ActionPill } from '../../../parts/pill.tsx';
import { Time } from '../../../parts/time.tsx';

/** The expression is undefined while it is not valid. */
export function LastDay({ expression }: { readonly expression: string | undefined }) {
  const zoneId = useZoneId();
  const found = useQuery({
    queryKey: ['last-day', zoneId, expression],
    enabled: expression !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
    networkMode: 'always',
    queryFn: ({ signal }) => searchLog(zoneId, expression!, signal),
  });
  if (expression === undefined) return <p className="soft">Complete the expression to search the log.</p>;
  if (found.isError) return <LogRefusal error={found.error} />;
  if (found.data === undefined) return <p className="soft">Searching…</p>;
  const { all, matching, newest } = found.data;
  return (
    <div className="stack" aria-live="polite">
      <p>
        <strong>
          {matching.total.toLocaleString()} of {all.total.toLocaleString()}{' '}
          {all.total === 1 ? 'request' : 'requests'}
        </strong>{' '}
        in the log of the last 24 hours would have matched{matching.is_complete ? '' : ' (counted in part)'}.{' '}
        <span className="soft">The log contains the requests that a rule acted on, not all traffic.</span>
      </p>
      {newest.length > 0 && <DataTable label="Events that match" columns={columns} rows={newest} />}
    </div>
  );
}

/** One event of each request counts: that of the last rule. */
const query = { since: '24h', where: ['matchIndex:eq:0'] };

async function searchLog(zoneId: string, expression: string, signal: AbortSignal) {
  const [all, matching, newest] = await Promise.all([
    countEvents(zoneId, query, { signal }),
    countEvents(zoneId, { ...query, expression }, { signal }),
    findEvents(zoneId, { ...query, expression }, { count: 5, signal }),
  ]);
  return { all, matching, newest: newest.events };
}

function LogRefusal({ error }: { readonly error: unknown }) {
  const isAboutLog = error instanceof ApiError && error.status === 400;
  return (
    <div className="stack-close">
      <p className="soft">
        {isAboutLog
          ? 'The log does not contain all fields of this expression, so it cannot be searched with it:'
          : 'The log could not be searched:'}
      </p>
      <pre className="block">{describeError(error)}</pre>
    </div>
  );
}

const columns: readonly Column<SecurityEvent>[] = [
  { title: 'When', cell: ({ datetime }) => <Time at={datetime} isRelative /> },
  {
    title: 'Request',
    kind: 'mono',
    cell: (event) =>
      `${event.clientRequestHTTPMethodName} ${event.clientRequestHTTPHost}${event.clientRequestPath}${event.clientRequestQuery}`,
  },
  { title: 'Client', kind: 'mono', cell: ({ clientIP }) => clientIP },
  { title: 'Action', cell: ({ action }) => <ActionPill action={action} /> },
];
