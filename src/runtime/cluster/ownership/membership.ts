/**
 * This host's place in the cluster: its lease, which it renews, and the watch over the leases of the others. While this
 * thread computes, a keeper renews the lease in parallel (`lease-renewal.ts`).
 *
 * Invariants:
 * - as long as `holds`, no other host has been able to claim an object of this one: the lease ends here before it ends
 *   in the database, by a clock that continues while this process is stopped. It counts from before a renewal was sent,
 *   not from its answer. Renewals of the keeper count only for the id that it keeps, and `holds` reads the clock
 *   itself, so that it is right in the first moment after a long turn;
 * - a host is declared dead only if its lease has expired by the clock of the database and this host has seen the same
 *   beat for as long by its own clock. One of the two clocks may jump;
 * - a host that was declared dead reports it once, loses everything, and joins under another id.
 */
import { randomBytes } from 'node:crypto';
import type { Timer } from '#base';
import type { Fence } from '#objects';
import { createLeaseError, DatabaseError, HostReplacedError } from '../errors.ts';
import { findLeaseEnd, type LeaseClock } from '../lease-clock.ts';
import { beatsPerLease, hostsSeenEachBeatMax } from '../limits.ts';
import type { HostSeen, LeaseDatabase } from './lease-database.ts';
import type { KeptLease, LeaseKeeper } from '../leases/lease-keeper.ts';

export interface MembershipParts {
  readonly database: Pick<LeaseDatabase, 'join' | 'beat' | 'bury' | 'leave'>;
  readonly clock: LeaseClock;
  readonly keeper: LeaseKeeper;
  readonly leaseMs: number;
  /** How long to wait for the lease. */
  readonly waitMs: number;
  readonly address: () => string;
  /** Every claim of this host is lost. */
  readonly onLost: (cause: HostReplacedError) => void;
  /** How many objects this host has. */
  readonly load: () => number;
  /** Nothing is done under this id any more. */
  readonly onReplaced?: (id: string) => void;
  readonly onHosts?: (hosts: readonly HostSeen[]) => void;
  readonly log: (message: string, error?: unknown) => void;
  /** @internal Simulations replace it. */
  readonly createId?: () => string;
}

interface SeenBeat {
  readonly beat: number;
  readonly since: number;
}

export class Membership implements Fence {
  readonly #parts: MembershipParts;
  #id = '';
  /** The end of the lease by the clock of this host, according to this thread's renewals. */
  #deadline = Number.NEGATIVE_INFINITY;
  #kept: KeptLease | undefined;
  #watched = new Map<string, SeenBeat>();
  #hosts: readonly HostSeen[] = [];
  #timer: Timer | undefined;
  #beating: Promise<void> | undefined;
  #regained: PromiseWithResolvers<void> | undefined;
  #isStopped = false;
  #isLeaving = false;
  #isAway = false;
  #beats = 0;

  constructor(parts: MembershipParts) {
    this.#parts = parts;
  }

  /** Changes each time the host joins. */
  get id(): string {
    return this.#id;
  }

  /** The other hosts, as last seen. */
  get hosts(): readonly HostSeen[] {
    return this.#hosts;
  }

  /** Whether this host is handing over its objects. */
  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  get holds(): boolean {
    const now = this.#parts.clock.now();
    return now < this.#deadline || (this.#kept !== undefined && now < this.#kept.deadline);
  }

  /**
   * Resolves when the lease is valid again; by then all losses in between have been reported. Rejects if that takes too
   * long: waiting callers should rather get an error.
   */
  regained(): Promise<void> {
    if (this.holds) return Promise.resolve();
    this.#regained ??= this.#waitForLease();
    return this.#regained.promise;
  }

  #waitForLease(): PromiseWithResolvers<void> {
    const regained = Promise.withResolvers<void>();
    regained.promise.catch(() => {});
    this.#parts.clock.setTimer(this.#parts.waitMs, () => {
      if (this.#regained !== regained) return;
      this.#regained = undefined;
      regained.reject(createLeaseError());
    });
    return regained;
  }

  async join(): Promise<void> {
    await this.#join();
    this.#schedule();
  }

  /** Joins as soon as the database responds. */
  joinLater(): void {
    void this.renew();
    this.#schedule();
  }

  /** Renews the lease now, as after a commit that was refused for lack of one. */
  renew(): Promise<void> {
    this.#beating ??= this.#beat().finally(() => {
      this.#beating = undefined;
    });
    return this.#beating;
  }

  /** Announces to the other hosts that this one accepts no more objects. */
  async beginLeaving(): Promise<void> {
    this.#isLeaving = true;
    await this.renew();
  }

  /** Releases the lease: from then on every object of this host can be claimed. */
  async leave(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#beating;
    const kept = this.#kept;
    this.#kept = undefined;
    this.#deadline = Number.NEGATIVE_INFINITY;
    try {
      if (this.#id !== '') await this.#parts.database.leave(this.#id);
    } finally {
      // Not earlier: if the process dies meanwhile, its lease must still be released.
      kept?.end();
    }
  }

  /** Stops renewing the lease. */
  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
    this.#endKeeping();
  }

  #endKeeping(): void {
    this.#kept?.end();
    this.#kept = undefined;
  }

  async #join(): Promise<void> {
    const { address, clock, createId = createHostId, database, leaseMs } = this.#parts;
    const id = createId();
    const sentAt = clock.now();
    // Before it has joined: this thread may be busy when the answer arrives.
    const kept = this.#parts.keeper.keep(id);
    try {
      await database.join({ id, leaseMs, address: address() });
    } catch (error) {
      kept.end();
      throw error;
    }
    this.#id = id;
    this.#endKeeping();
    if (this.#isStopped) kept.end();
    else this.#kept = kept;
    this.#watched.clear();
    this.#extend(sentAt);
  }

  #extend(sentAt: number): void {
    this.#deadline = Math.max(this.#deadline, findLeaseEnd(sentAt, this.#parts.leaseMs));
    if (!this.holds) return;
    this.#regained?.resolve();
    this.#regained = undefined;
  }

  #schedule(): void {
    if (this.#isStopped) return;
    this.#timer = this.#parts.clock.setTimer(this.#parts.leaseMs / beatsPerLease, () => {
      void this.renew().then(() => this.#schedule());
    });
  }

  /** Never rejects: what a database does not answer is requested again at the next beat. */
  async #beat(): Promise<void> {
    const { clock, database, leaseMs, log } = this.#parts;
    const sentAt = clock.now();
    try {
      if (this.#id === '') return await this.#join();
      const isLooking = this.#hosts.length <= hostsSeenEachBeatMax || this.#beats++ % beatsPerLease === 0;
      const report = { leaseMs, load: this.#parts.load(), isLeaving: this.#isLeaving, isLooking };
      const hosts = await database.beat(this.#id, report);
      if (this.#isStopped) return;
      if (this.#isAway) log('the database of the cluster answers again');
      this.#isAway = false;
      if (hosts === 'declared dead') return await this.#replace();
      this.#extend(sentAt);
      if (hosts === 'renewed') return;
      this.#hosts = hosts;
      this.#parts.onHosts?.(hosts);
      await this.#watch(hosts);
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      if (!this.#isAway) log('could not renew the lease of this host; trying again', error);
      this.#isAway = true;
    }
  }

  async #replace(): Promise<void> {
    const { log, onLost } = this.#parts;
    this.#deadline = Number.NEGATIVE_INFINITY;
    this.#endKeeping();
    log('this host was unreachable for too long, and its objects were given to other hosts; rejoining');
    onLost(new HostReplacedError());
    this.#parts.onReplaced?.(this.#id);
    await this.#join();
  }

  async #watch(hosts: readonly HostSeen[]): Promise<void> {
    const { clock, database, log } = this.#parts;
    const now = clock.now();
    const watched = new Map<string, SeenBeat>();
    for (const { id, beat, isOver, leaseMs } of hosts) {
      const before = this.#watched.get(id);
      const since = before?.beat === beat ? before.since : now;
      watched.set(id, { beat, since });
      if (!isOver || now - since < leaseMs) continue;
      if (await database.bury(id, beat)) {
        watched.delete(id);
        log(`host ${id} is silent; its objects are released`);
      }
    }
    this.#watched = watched;
  }
}

function createHostId(): string {
  return randomBytes(12).toString('hex');
}
