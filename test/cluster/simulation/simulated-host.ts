/**
 * A host of a simulated cluster: the lease, claims and commits of `src/cluster/ownership/` on a simulated network, and a
 * counter for each object in the place of objects. It can be stopped, so that its clock goes on and nothing else of it does,
 * and killed.
 */
import type { Timer } from '#base';
import type { LogDay } from '#objects';
import { DatabaseError } from '../../../src/cluster/errors.ts';
import type { LeaseClock } from '../../../src/cluster/lease-clock.ts';
import type { Claim } from '../../../src/cluster/ownership/claim.ts';
import { Claims } from '../../../src/cluster/ownership/claims.ts';
import { Committer } from '../../../src/cluster/ownership/committer.ts';
import type {
  ClaimAnswer,
  CommitAnswer,
  HostReport,
  HostSeen,
  LeaseDatabase,
  NewHost,
  Write,
} from '../../../src/cluster/ownership/lease-database.ts';
import { Membership } from '../../../src/cluster/ownership/membership.ts';
import type { Plant, SimulatedDatabase } from './simulated-database.ts';
import type { SimulatedTime } from './simulated-time.ts';

export const leaseMs = 1_000;
const waitMs = 15_000;
/** Rarely, a statement runs long after its sender has given it up: it was under way, or waited for a lock. */
const lateMsMax = 3_000;

interface Counter {
  readonly claim: Claim;
  /** What is in the log, or on its way there. */
  value: number;
  /** The last write that was sent. */
  written: Promise<void>;
}

export class SimulatedHost implements LeaseDatabase, LeaseClock {
  readonly #time: SimulatedTime;
  readonly #database: SimulatedDatabase;
  readonly #plant: Plant;
  readonly #membership: Membership;
  readonly #claims: Claims;
  readonly #committer: Committer;
  readonly #counters = new Map<string, Promise<Counter>>();
  #state: 'running' | 'stopped' | 'killed' = 'running';
  /** What came while it was stopped. */
  #held: Array<() => void> = [];
  /** How likely a statement or its answer is to be lost now. */
  lossProbability = 0.01;

  constructor(
    time: SimulatedTime,
    parts: {
      readonly database: SimulatedDatabase;
      readonly plant: Plant;
      readonly createId: () => string;
    },
  ) {
    this.#time = time;
    this.#database = parts.database;
    this.#plant = parts.plant;
    const membership = new Membership({
      database: this,
      clock: this,
      leaseMs,
      waitMs,
      address: () => '',
      createId: parts.createId,
      load: () => 0,
      onLost: (cause) => {
        this.#claims.loseAll(cause);
        this.#counters.clear();
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
    if (this.#state !== 'running') return;
    this.#state = 'stopped';
    this.#time.after(ms, () => {
      if (this.#state !== 'stopped') return;
      this.#state = 'running';
      for (const run of this.#held.splice(0)) this.#time.after(0, () => this.#here(run));
    });
  }

  kill(): void {
    this.#state = 'killed';
  }

  /** Adds one to a counter; answers its value when it may be told. */
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

  /** What the output gate of an object does. */
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

  now(): number {
    return this.#time.now;
  }

  setTimer(delayMs: number, callback: () => void): Timer {
    let isSet = true;
    this.#time.after(delayMs, () => this.#here(() => isSet && callback()));
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

  /** Sends a statement: it arrives, or not, or late; and so does its answer. */
  #ask<T>(run: () => T): Promise<T> {
    const time = this.#time;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const fail = (outcome: 'no' | 'unknown'): void =>
      this.#here(() => reject(new DatabaseError('lost', { outcome, reason: 'away' })));
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
      time.after(delay(), () => (isAnswered ? this.#here(() => resolve(answer)) : fail('unknown')));
    });
    return promise;
  }

  /** What happens in this process: later, if it is stopped; never, if it was killed. */
  #here(run: () => void): void {
    if (this.#state === 'running') run();
    else if (this.#state === 'stopped') this.#held.push(run);
  }
}
