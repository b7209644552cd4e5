/**
 * Waits until no host of another code is left. Hosts that are alive release their objects when they are notified, or
 * when they cannot renew their leases; an unresponsive one is declared dead by the usual rule: its lease has expired by
 * the clock of the database, and its beat has not changed for as long by the clock of this host.
 */
import { DatabaseError } from '../errors.ts';
import type { LeaseClock } from '../lease-clock.ts';
import { otherCodeLeases, otherCodeLookMs } from '../limits.ts';
import type { HostSeen, LeaseDatabase } from './lease-database.ts';

export type OtherHost = Pick<HostSeen, 'id' | 'beat' | 'leaseMs' | 'isOver'>;

export interface WaitingParts {
  readonly database: Pick<LeaseDatabase, 'bury'> & { listOthers(code: string): Promise<OtherHost[]> };
  readonly code: string;
  readonly clock: LeaseClock;
  readonly leaseMs: number;
}

export async function waitForOthers({ database, code, clock, leaseMs }: WaitingParts): Promise<void> {
  const begunAt = clock.now();
  const seen = new Map<string, { readonly beat: number; readonly since: number }>();
  for (;;) {
    const others = await database.listOthers(code);
    if (others.length === 0) return;
    const now = clock.now();
    for (const { id, beat, isOver, leaseMs: lasts } of others) {
      const before = seen.get(id);
      const since = before?.beat === beat ? before.since : now;
      seen.set(id, { beat, since });
      if (isOver && now - since >= lasts) await database.bury(id, beat);
    }
    if (now - begunAt > otherCodeLeases * Math.max(leaseMs, ...others.map((each) => each.leaseMs)))
      throw new DatabaseError(
        `hosts with another version of the code do not release the objects: ${others.map(({ id }) => id).join(', ')}`,
        { outcome: 'no', reason: 'refused' },
      );
    await new Promise<void>((resolve) => void clock.setTimer(otherCodeLookMs, resolve));
  }
}
