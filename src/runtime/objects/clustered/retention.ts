import type { Clock } from '#base';
import type { Position } from '#journal';
import type { Owner } from '../ledger/records.ts';
import type { ClusterPort } from './cluster-port.ts';

/**
 * Gives back the days that are all older than `keptMs`; answers how many. A day may go when every object with records in
 * it can do without them. Objects that another process has are left to that one, and the day stays until it has seen to
 * them.
 */
export async function giveBackDays(
  parts: {
    readonly clock: Clock;
    readonly cluster: ClusterPort;
    /** Makes the state after an object's records up to `last` the oldest that is kept. */
    readonly settle: (owner: Owner, last: Position) => Promise<void>;
  },
  keptMs: number,
): Promise<number> {
  const { clock, cluster, settle } = parts;
  // What is given back is gone for all hosts: that one of them has a clock which is ahead must not be enough for it.
  const now = clock.virtual ? clock.now() : Math.min(clock.now(), await cluster.readTime());
  let dropped = 0;
  for (const day of await cluster.listDaysBefore(now - keptMs)) {
    for await (const { owner, last } of cluster.listUnsettled(day)) await settle(owner, last);
    if (!(await cluster.dropDay(day))) return dropped;
    dropped++;
  }
  return dropped;
}
