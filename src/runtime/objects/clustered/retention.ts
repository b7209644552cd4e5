import type { Clock } from '#base';
import type { Position } from '#journal';
import type { Owner } from '../ledger/records.ts';
import type { ClusterPort } from './cluster-port.ts';

/**
 * Drops the days that are entirely older than `keptMs`; returns how many. A day may be dropped when no object needs its
 * records in it. Objects claimed by another process are left to that process, and the day stays until it has settled
 * them.
 */
export async function giveBackDays(
  parts: {
    readonly clock: Clock;
    readonly cluster: ClusterPort;
    /** Makes the state after an object's records up to `last` the oldest one kept. */
    readonly settle: (owner: Owner, last: Position) => Promise<void>;
  },
  keptMs: number,
): Promise<number> {
  const { clock, cluster, settle } = parts;
  // Dropped history is lost for all hosts: one host whose clock is ahead must not cause that.
  const now = clock.virtual ? clock.now() : Math.min(clock.now(), await cluster.readTime());
  let dropped = 0;
  for (const day of await cluster.listDaysBefore(now - keptMs)) {
    for await (const { owner, last } of cluster.listUnsettled(day)) await settle(owner, last);
    if (!(await cluster.dropDay(day))) return dropped;
    dropped++;
  }
  return dropped;
}
