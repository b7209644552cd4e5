/**
 * Parts of the data directory that are out of service, on every page. Empty if there are none, or if the reader may not
 * see them.
 */
import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../api/queries.ts';
import { read } from '../api/read.ts';
import { getProgram } from '../api/session.ts';

const askEveryMs = 30_000;

export function OutOfService() {
  const { data: account } = useQuery({ ...accountQuery, enabled: getProgram() === 'serve' });
  const { data: metrics = [] } = useQuery({
    ...read('/accounts/{account_id}/metrics', { account_id: account?.id ?? '-' }),
    enabled: account !== undefined,
    refetchInterval: askEveryMs,
    retry: false,
  });
  const points = metrics.find(({ name }) => name === 'gatehouse_out_of_service')?.points ?? [];
  if (points.length === 0) return null;
  return (
    <div className="note note-warn stack-close" role="alert">
      {points.map(({ labels: { part = '', reason = '' } }) => (
        <p key={part}>
          <strong>{part}</strong> is out of service: {reason}
        </p>
      ))}
      <p>
        All other parts work. <code>gatehouse objects scrub</code> lists what is damaged; restore it from a
        backup, and the server retries automatically.
      </p>
    </div>
  );
}
