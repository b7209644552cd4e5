/**
 * A host of a simulated cluster: the lease, claims and commits of `src/runtime/cluster/ownership/` on a simulated
 * network, and a counter in place of each object. It can be busy, so that only the thread that renews its lease
 * continues; be stopped, so that only its clock continues; and be killed, which a second process usually notices.
 */
import type { Timer } from '#base';
import type { LogDay } from '#objects';
import { DatabaseError } from '#cluster';
import type { LeaseClock } from '../../../src/runtime/cluster/lease-clock.ts';
import type { Claim } from '../../../src/runtime/cluster/ownership/claim.ts';
import { Claims } from '../../../src/runtime/cluster/ownership/claims.ts';
import { Committer } from '../../../src/runtime/cluster/ownership/committer.ts';
import type {
  ClaimAnswer,
  CommitAnswer,
  HostReport,
  HostSeen,
  LeaseDatabase,
  NewHost,
  Write,
} from '../../../src/runtime/cluster/ownership/lease-database.ts';
import type { KeptLease, LeaseKeeper } from '../../../src/runtime/cluster/leases/lease-keeper.ts';
import { LeaseRenewal } from '../../../src/runtime/cluster/leases/lease-renewal.ts';
import { Membership } from '../../../src/runtime/cluster/ownership/membership.ts';
import type { Plant, SimulatedDatabase } from './simulated-database.ts';
import type { SimulatedTime } from './simulated-time.ts';

export const leaseMs = 1_000;
const waitMs = 15_000;
/** Hosts compute for longer than this now and then. */
export const stuckMs = 4_000;
/** In which thread of a process something happens. */
type Where = 'here' | 'aside';
/** Rarely, a statement runs long after its sender has given up on it: it was in transit, or waited for a lock. */
const lateMsMax = 3_000;

interface Counter {
  readonly claim: Claim;
  /** The contents of the log, and what is in transit to it. */
  value: number;
  /** The last write that was sent. */
  written: Promise<void>;
}

export class SimulatedHost implements LeaseDatabase, LeaseClock, LeaseKeeper {
  readonly #time: SimulatedTime;
  readonly #database: SimulatedDatabase;
  readonly #plant: Plant;
  readonly #membership: Membership;
  readonly #claims: Claims;
  readonly #committer: Committer;
  readonly #counters = new Map<string, Promise<Counter>>();
  readonly #kept = new Set<string>();
  #state: 'running' | 'busy' | 'stopped' | 'killed' = 'running';
  #turnedAt = 0;
  /**
   * Messages that arrived while it was stopped or busy, for the thread of the objects and for the one that renews the
   * lease.
   */
  #held: Array<() => void> = [];
  #heldAside: Array<() => void> = [];
  /** The current probability that a statement or its response is lost. */
  lossProbability = 0.01;

  constructor(
    time: SimulatedTime,
    parts: {
      readonly database: SimulatedDatabase;
      readonly plant: Plant;
      readonly createId: () => string;
      readonly onReplaced: () => void;
    },
  ) {
    this.#time = time;
    this.#database = parts.database;
    this.#plant = parts.plant;
    const membership = new Membership({
      database: this,
      clock: this,
      keeper: this,
      leaseMs,
      waitMs,
      address: () => '',
      createId: parts.createId,
      load: () => 0,
      onLost: (cause) => {
        this.#claims.loseAll(cause);
        this.#counters.clear();
        parts.onReplaced();
      },
      log: () => {},
    });
    this.#membership = membership;
    this.#claims = new Claims({ database: this, membership, clock: this, waitMs });
    this.#committer = new Committer({ database: this, membership, clock: this, waitMs });
  }

  get isRunning(): boolean {
    return this.#state === 'running';
  }

  async start(): Promise<void> {
    for (;;) {
      try {
        return await this.#membership.join();
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error;
      }
    }
  }

  stopFor(ms: number): void {
    if (this.#state === 'killed' || this.#state === 'stopped') return;
    this.#state = 'stopped';
    if (this.#plant === 'release-stopped') this.#release();
    this.#time.after(ms, () => this.#resume('stopped'));
  }

  /** Its objects compute: their thread does nothing else. */
  computeFor(ms: number): void {
    if (this.#state !== 'running') return;
    this.#turnedAt = this.#time.now;
    this.#state = 'busy';
    this.#time.after(ms, () => this.#resume('busy'));
  }

  #resume(from: 'busy' | 'stopped'): void {
    if (this.#state !== from) return;
    this.#state = 'running';
    for (const run of this.#heldAside.splice(0)) this.#time.after(0, () => this.#aside(run));
    for (const run of this.#held.splice(0)) this.#time.after(0, () => this.#here(run));
  }

  /** Usually the second process reports it to the database. */
  kill(): void {
    this.#state = 'killed';
    if (this.#time.chance(0.7)) this.#release();
  }

  #release(): void {
    for (const id of this.#kept) this.#time.after(this.#time.between(1, 300), () => this.#database.leave(id));
  }

  /** Increments a counter; returns its value when the output gate allows it. */
  async increment(object: string, operation: number): Promise<number> {
    const counter = await this.#open(object);
    const value = ++counter.value;
    const payload = Buffer.alloc(4);
    payload.writeUInt32LE(operation);
    const write = { sequence: value, time: 0, payload, name: undefined, alarm: undefined };
    counter.written = this.#committer.append(counter.claim, write);
    await this.#answer(object, counter);
    return value;
  }

  async read(object: string): Promise<number> {
    const counter = await this.#open(object);
    const { value } = counter;
    await this.#answer(object, counter);
    return value;
  }

  /** Acts as the output gate of an object. */
  async #answer(object: string, counter: Counter): Promise<void> {
    try {
      await counter.written;
    } catch (error) {
      this.#counters.delete(object);
      throw error;
    }
    if (this.#plant !== 'no-deadline' && !this.#membership.holds) await this.#membership.regained();
    if (counter.claim.lost !== undefined) throw counter.claim.lost;
  }

  async #open(object: string): Promise<Counter> {
    const present = this.#counters.get(object);
    if (present !== undefined && !(await present).claim.isLost) return await present;
    const opening = this.#claim(object);
    this.#counters.set(object, opening);
    opening.catch(() => {
      if (this.#counters.get(object) === opening) this.#counters.delete(object);
    });
    return await opening;
  }

  async #claim(object: string): Promise<Counter> {
    const { claim, answer } = await this.#claims.claim(object);
    return { claim, value: answer.sequence, written: Promise.resolve() };
  }

  keep(id: string): KeptLease {
    let deadline = Number.NEGATIVE_INFINITY;
    const renewal = new LeaseRenewal({
      clock: {
        now: () => this.#time.now,
        setTimer: (delayMs, callback) => this.#setTimer(delayMs, callback, 'aside'),
      },
      leaseMs,
      stuckMs,
      renew: () => this.#ask(() => this.#database.keep(id, leaseMs), 'aside'),
      turnedAt: () => (this.#state === 'running' ? this.#time.now : this.#turnedAt),
      processorMs: () => this.#time.now,
      onDeadline: (time) => (deadline = time),
      onStuck: () => {},
    });
    this.#kept.add(id);
    renewal.begin();
    return {
      get deadline() {
        return deadline;
      },
      end: () => {
        this.#kept.delete(id);
        renewal.end();
      },
    };
  }

  now(): number {
    return this.#time.now;
  }

  setTimer(delayMs: number, callback: () => void): Timer {
    return this.#setTimer(delayMs, callback, 'here');
  }

  #setTimer(delayMs: number, callback: () => void, where: Where): Timer {
    let isSet = true;
    this.#time.after(delayMs, () => this.#run(where, () => isSet && callback()));
    return { cancel: () => void (isSet = false) };
  }

  join(host: NewHost): Promise<void> {
    return this.#ask(() => this.#database.join(host));
  }

  beat(id: string, report: HostReport): Promise<HostSeen[] | 'renewed' | 'declared dead'> {
    return this.#ask(() => this.#database.beat(id, report));
  }

  bury(id: string, beat: number): Promise<boolean> {
    return this.#ask(() => this.#database.bury(id, beat));
  }

  leave(id: string): Promise<void> {
    return this.#ask(() => this.#database.leave(id));
  }

  claim(host: string, object: string): Promise<ClaimAnswer> {
    return this.#ask(() => this.#database.claim(host, object));
  }

  commit(host: string, _day: LogDay, writes: readonly Write[]): Promise<CommitAnswer> {
    return this.#ask(() => this.#database.commit(host, writes));
  }

  createDay(): Promise<void> {
    return Promise.resolve();
  }

  /** Sends a statement: it and its response arrive, are lost, or are late. */
  #ask<T>(run: () => T, where: Where = 'here'): Promise<T> {
    const time = this.#time;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const fail = (outcome: 'no' | 'unknown'): void =>
      this.#run(where, () => reject(new DatabaseError('lost', { outcome, reason: 'away' })));
    const delay = (): number => (time.chance(0.02) ? time.between(5, 300) : time.between(0.1, 5));
    if (time.chance(this.lossProbability)) {
      // Not sent, lost on the way, or late.
      const fate = time.pick(3);
      if (fate === 2) time.after(time.between(0, lateMsMax), run);
      time.after(delay(), () => fail(fate === 0 ? 'no' : 'unknown'));
      return promise;
    }
    time.after(delay(), () => {
      const answer = run();
      const isAnswered = !time.chance(this.lossProbability);
      time.after(delay(), () => (isAnswered ? this.#run(where, () => resolve(answer)) : fail('unknown')));
    });
    return promise;
  }

  #run(where: Where, run: () => void): void {
    if (where === 'here') this.#here(run);
    else this.#aside(run);
  }

  /** Runs in the thread of the objects: later, if it is stopped or busy; never, if it was killed. */
  #here(run: () => void): void {
    if (this.#state === 'running') run();
    else if (this.#state !== 'killed') this.#held.push(run);
  }

  /** Runs in the thread that renews the lease. */
  #aside(run: () => void): void {
    if (this.#state === 'running' || this.#state === 'busy') run();
    else if (this.#state === 'stopped') this.#heldAside.push(run);
  }
}
