/**
 * Renews one lease, in parallel to the thread that runs the objects.
 *
 * Invariants:
 * - a deadline is published only after the database has renewed the lease, and counts from before the request: the
 *   lease lasts longer in the database than here, regardless of which connection renews it;
 * - after the database has reported that the host was declared dead, no deadline is published any more;
 * - a renewal says nothing about what the objects do. The database fences their writes, and the deadline, which they
 *   read themselves, fences their answers: this only decides how long a slow host keeps its objects;
 * - a host whose objects' thread has been blocked for `stuckMs` of processor time, or ten times that by the clock, is
 *   not renewed until the thread runs its event loop again. A starved machine provides no processor time, so a host on
 *   it is not stuck.
 */
import type { Timer } from '#base';
import { DatabaseError } from '../errors.ts';
import { findLeaseEnd, type LeaseClock } from '../lease-clock.ts';
import { beatsPerLease, blockedFactor } from '../limits.ts';

/** The database's answer: it has renewed the lease, the host was declared dead, or it does not know the host yet. */
export type Renewed = 'renewed' | 'declared dead' | 'not there';

export interface LeaseRenewalParts {
  readonly clock: LeaseClock;
  readonly leaseMs: number;
  /** Processor time without a turn of the event loop after which the lease is given up. */
  readonly stuckMs: number;
  readonly renew: (busyMs: number) => Promise<Renewed>;
  /** When the thread that runs the objects last processed events. */
  readonly turnedAt: () => number;
  /** Processor time that this process has taken. */
  readonly processorMs: () => number;
  readonly onDeadline: (deadline: number) => void;
  /** The lease is not renewed until the thread processes events again. */
  readonly onStuck: (busyMs: number) => void;
}

export class LeaseRenewal {
  readonly #parts: LeaseRenewalParts;
  #turnedAt = Number.NEGATIVE_INFINITY;
  #processorMsThen = 0;
  #isStuck = false;
  #isEnded = false;
  #timer: Timer | undefined;

  constructor(parts: LeaseRenewalParts) {
    this.#parts = parts;
  }

  begin(): void {
    this.#schedule();
  }

  end(): void {
    this.#isEnded = true;
    this.#timer?.cancel();
  }

  #schedule(): void {
    if (this.#isEnded) return;
    const { clock, leaseMs } = this.#parts;
    this.#timer = clock.setTimer(leaseMs / beatsPerLease, () => void this.#beat());
  }

  /** Never rejects: what a database does not answer is requested again. */
  async #beat(): Promise<void> {
    const { clock, leaseMs, onDeadline, renew } = this.#parts;
    const sentAt = clock.now();
    const busyMs = this.#look(sentAt);
    try {
      if (!this.#isStuck) {
        const renewed = await renew(busyMs);
        if (this.#isEnded) return;
        if (renewed === 'declared dead') {
          onDeadline(Number.NEGATIVE_INFINITY);
          return this.end();
        }
        if (renewed === 'renewed') onDeadline(findLeaseEnd(sentAt, leaseMs));
      }
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
    }
    this.#schedule();
  }

  /** Returns how long the thread that runs the objects has been blocked. */
  #look(now: number): number {
    const { onStuck, processorMs, stuckMs, turnedAt } = this.#parts;
    const turned = turnedAt();
    if (turned !== this.#turnedAt) {
      this.#turnedAt = turned;
      this.#processorMsThen = processorMs();
      this.#isStuck = false;
    }
    const busyMs = Math.max(0, now - turned);
    const isStuck =
      busyMs >= stuckMs &&
      (processorMs() - this.#processorMsThen >= stuckMs || busyMs >= stuckMs * blockedFactor);
    if (isStuck && !this.#isStuck) onStuck(busyMs);
    this.#isStuck = isStuck;
    return Math.round(busyMs);
  }
}
