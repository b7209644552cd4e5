/** The queries of the pages about Workers. */
import { useQuery } from '@tanstack/react-query';
import type { Result } from '#client';
import { useAccountId } from '../../api/queries.ts';
import { read } from '../../api/read.ts';

export type WorkerVersion = Result<'workers.listVersions'>['items'][number];
export type WorkerDeployment = Result<'workers.listDeployments'>['deployments'][number];

export interface WorkerNames {
  readonly account_id: string;
  readonly script_name: string;
}

export const scriptPath = '/accounts/{account_id}/workers/scripts/{script_name}';

/** How often counts are read again. */
const countMs = 5_000;

export interface VersionCounts {
  readonly requests: number;
  readonly failures: number;
  readonly meanMs: number | undefined;
}

/** Requests by version number, since the server was started. */
export function useVersionCounts(worker: string): ReadonlyMap<string, VersionCounts> {
  const account_id = useAccountId();
  const { data = [] } = useQuery({
    ...read('/accounts/{account_id}/metrics', { account_id }),
    refetchInterval: countMs,
  });
  return countByVersion(data, worker);
}

export function countByVersion(
  metrics: Result<'metrics.list'>,
  worker: string,
): ReadonlyMap<string, VersionCounts> {
  const counts = new Map<string, { requests: number; failures: number; seconds: number; timed: number }>();
  for (const { name, points } of metrics)
    for (const { labels, value = 0, distribution } of points) {
      const { version } = labels;
      if (labels['worker'] !== worker || version === undefined) continue;
      const count = counts.get(version) ?? { requests: 0, failures: 0, seconds: 0, timed: 0 };
      counts.set(version, count);
      if (name === 'gatehouse_worker_requests_total') {
        count.requests += value;
        if (labels['status'] === '5xx') count.failures += value;
      } else if (distribution !== undefined) {
        count.seconds += distribution.sum;
        count.timed += distribution.counts.reduce((sum, each) => sum + each, 0);
      }
    }
  return new Map(
    Array.from(counts, ([version, { requests, failures, seconds, timed }]) => [
      version,
      { requests, failures, meanMs: timed === 0 ? undefined : (seconds / timed) * 1_000 },
    ]),
  );
}
