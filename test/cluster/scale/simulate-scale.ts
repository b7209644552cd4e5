/**
 * A cluster of a size that no test can run, in virtual time: objects are counted in typed arrays, hosts and databases
 * are queues with the costs of `model.ts`, and objects are placed as the program places them. The same seed gives the
 * same run.
 */
import { chooseDatabase, hashName } from '../../../src/runtime/cluster/databases/rendezvous.ts';
import { SimulatedTime } from '../simulation/simulated-time.ts';
import { Latencies } from './latencies.ts';
import { type Machine, beatShare, measured } from './model.ts';
import { TypedHeap } from './typed-heap.ts';

export type Placement = 'fewest' | 'two-choices';

interface Failure {
  readonly at: number;
  /**
   * This many hosts die at once and restart, empty, half a minute later; or a database is unavailable for this many
   * seconds.
   */
  readonly kind: 'hosts' | 'database';
  readonly amount: number;
}

export interface ScaleOptions {
  readonly seed: number;
  readonly hosts: number;
  readonly databases: number;
  readonly objects: number;
  /** How many of them are called. */
  readonly activeShare: number;
  readonly callsPerSecond: number;
  readonly writeShare: number;
  readonly seconds: number;
  readonly failures: readonly Failure[];
  readonly placement: Placement;
  readonly machine?: Machine;
}

interface Phase {
  readonly name: string;
  readonly latencies: Latencies;
}

export interface ScaleResult {
  /** Most objects of one host over the mean, and the same for databases. */
  readonly hostBalance: number;
  readonly databaseBalance: number;
  /** The same for hosts at the end. */
  readonly hostBalanceAfter: number;
  readonly phases: readonly Phase[];
  /** The most claims of one database within a second. */
  readonly claimsPerSecondMax: number;
  /** The longest that calls have waited in line at one host, and at one database. */
  readonly hostQueueMax: number;
  readonly databaseQueueMax: number;
  readonly calls: number;
  /** A digest of all events. */
  readonly trace: number;
}

/** How many groups of hosts see the others' loads at different moments. */
const views = 8;
const restartSeconds = 30;
const retrySeconds = 0.5;
/** Calls within this time of a failure count as those of the failure. */
const aftermathSeconds = 20;

class ScaleRun {
  readonly #options: ScaleOptions;
  readonly #machine: Machine;
  readonly #random: SimulatedTime;
  readonly #hostOf: Uint16Array;
  readonly #databaseOf: Uint8Array;
  readonly #loads: Int32Array;
  readonly #seen: readonly Int32Array[];
  readonly #leastSeen: Uint16Array;
  /** When each host died, and when all know it; infinite while it is alive. */
  readonly #buriedAt: Float64Array;
  readonly #isDead: Uint8Array;
  readonly #hostBusy: Float64Array;
  readonly #databaseBusy: Float64Array;
  readonly #claims: Uint32Array;
  readonly #later = new TypedHeap();
  readonly #phases: Phase[];
  #claimsFrom = 0;
  #claimsMax = 0;
  #hostQueueMax = 0;
  #databaseQueueMax = 0;
  #viewAt = 0;
  #viewNext = 0;
  #calls = 0;
  #trace = 0;

  constructor(options: ScaleOptions) {
    const { hosts, databases, objects, failures } = options;
    this.#options = options;
    this.#machine = options.machine ?? measured;
    this.#random = new SimulatedTime(options.seed);
    this.#hostOf = new Uint16Array(objects);
    this.#databaseOf = new Uint8Array(objects);
    this.#loads = new Int32Array(hosts);
    this.#seen = Array.from({ length: views }, () => new Int32Array(hosts));
    this.#leastSeen = new Uint16Array(views);
    this.#buriedAt = new Float64Array(hosts).fill(Number.POSITIVE_INFINITY);
    this.#isDead = new Uint8Array(hosts);
    this.#hostBusy = new Float64Array(hosts);
    this.#databaseBusy = new Float64Array(databases);
    this.#claims = new Uint32Array(databases);
    this.#phases = ['quiet', ...failures.map(({ kind, amount }) => `${kind} ${amount}`)].map((name) => ({
      name,
      latencies: new Latencies(),
    }));
  }

  run(): ScaleResult {
    const { objects, databases } = this.#options;
    this.#createObjects();
    const perDatabase = new Float64Array(databases);
    for (let object = 0; object < objects; object++) perDatabase[this.#databaseOf[object]!]!++;
    const databaseBalance = (Math.max(...perDatabase) * databases) / objects;
    const hostBalance = this.#hostBalance();
    this.#callObjects();
    return {
      hostBalance,
      databaseBalance,
      hostBalanceAfter: this.#hostBalance(),
      phases: this.#phases,
      claimsPerSecondMax: this.#claimsMax,
      hostQueueMax: this.#hostQueueMax,
      databaseQueueMax: this.#databaseQueueMax,
      calls: this.#calls,
      trace: this.#trace,
    };
  }

  /** At a rate at which each host sees the loads of the others change a few hundred times. */
  #createObjects(): void {
    const { objects, databases } = this.#options;
    const names = Array.from({ length: databases }, (_, index) => hashName(`db${index}`));
    const perView = Math.max(1, Math.floor(objects / 2_000));
    for (let object = 0; object < objects; object++) {
      if (object % perView === 0) this.#look();
      this.#databaseOf[object] = chooseDatabase(names, this.#random.pick(2 ** 32));
      this.#place(object);
    }
  }

  /** One group of hosts after the other learns the loads of all. */
  #look(): void {
    const view = this.#viewNext++ % views;
    const seen = this.#seen[view]!;
    seen.set(this.#loads);
    let least = 0;
    for (let host = 1; host < seen.length; host++)
      if (this.#isDead[host] === 0 && (this.#isDead[least] === 1 || seen[host]! < seen[least]!)) least = host;
    this.#leastSeen[view] = least;
  }

  #place(object: number): void {
    const caller = this.#pickHost();
    const view = caller % views;
    const seen = this.#seen[view]!;
    let chosen = this.#leastSeen[view]!;
    if (this.#options.placement === 'two-choices') {
      const [one, two] = [this.#pickHost(), this.#pickHost()];
      chosen = seen[one]! <= seen[two]! ? one : two;
    }
    const isDead = this.#isDead[chosen] === 1;
    const host =
      isDead || (this.#options.placement === 'fewest' && seen[chosen]! >= this.#loads[caller]!)
        ? caller
        : chosen;
    this.#hostOf[object] = host;
    this.#loads[host]!++;
    this.#trace = (Math.imul(this.#trace, 31) + host) | 0;
  }

  #pickHost(): number {
    for (;;) {
      const host = this.#random.pick(this.#options.hosts);
      if (this.#isDead[host] === 0) return host;
    }
  }

  #callObjects(): void {
    const { activeShare, callsPerSecond, failures, objects, seconds } = this.#options;
    const active = Math.floor(objects * activeShare);
    const due = failures.toSorted((a, b) => a.at - b.at);
    let phase = 0;
    for (let now = 0; now < seconds;) {
      const callAt = now - Math.log(1 - this.#random.random()) / callsPerSecond;
      while (this.#later.nextAt <= callAt) {
        const at = this.#later.nextAt;
        const { value, since } = this.#later.pop();
        this.#call(value, at, since, phase);
      }
      now = callAt;
      if (now >= this.#viewAt) this.#tick(now);
      if (phase < due.length && now >= due[phase]!.at) this.#fail(due[phase++]!, now);
      const isQuiet = phase === 0 || now > due[phase - 1]!.at + aftermathSeconds;
      this.#call(this.#random.pick(active), now, now, isQuiet ? 0 : phase);
    }
  }

  #tick(now: number): void {
    const { leaseSeconds, beatsPerLease } = this.#machine;
    this.#viewAt = now + leaseSeconds / beatsPerLease / views;
    this.#look();
    if (now < this.#claimsFrom + 1) return;
    this.#claimsMax = Math.max(this.#claimsMax, ...this.#claims);
    this.#claims.fill(0);
    this.#claimsFrom = now;
    for (const [host, buriedAt] of this.#buriedAt.entries()) {
      if (now < buriedAt + restartSeconds) continue;
      this.#isDead[host] = 0;
      this.#buriedAt[host] = Number.POSITIVE_INFINITY;
      this.#hostBusy[host] = now;
    }
  }

  #fail({ kind, amount }: Failure, now: number): void {
    if (kind === 'database') {
      this.#databaseBusy[0] = Math.max(this.#databaseBusy[0]!, now) + amount;
      return;
    }
    const { leaseSeconds, beatsPerLease } = this.#machine;
    for (let i = 0; i < amount; i++) {
      const host = this.#pickHost();
      this.#isDead[host] = 1;
      this.#loads[host] = 0;
      // Its last heartbeat was up to one interval ago, and the watcher checks once per interval.
      const beat = leaseSeconds / beatsPerLease;
      this.#buriedAt[host] = now + leaseSeconds + this.#random.between(-beat, beat);
    }
  }

  /** One call: `since` is when it was made. */
  #call(object: number, now: number, since: number, phase: number): void {
    const { databaseClaim, hostClaim } = this.#machine;
    const host = this.#hostOf[object]!;
    let claim = 0;
    if (this.#isDead[host] === 1) {
      const buriedAt = this.#buriedAt[host]!;
      if (now < buriedAt) {
        this.#later.push(buriedAt + this.#random.between(0, retrySeconds), object, since);
        return;
      }
      this.#place(object);
      this.#claims[this.#databaseOf[object]!]!++;
      claim = 1;
    }
    this.#calls++;
    const isWrite = claim === 1 || this.#random.chance(this.#options.writeShare);
    const hostCost = (isWrite ? this.#machine.hostCall : this.#machine.hostRead) + claim * hostClaim;
    const hostWait = this.#queueAtHost(this.#hostOf[object]!, now, hostCost);
    const databaseCost = this.#machine.databaseCommit + claim * databaseClaim;
    const databaseWait = isWrite
      ? this.#queueAtDatabase(this.#databaseOf[object]!, now, databaseCost) + this.#machine.commitTrip
      : 0;
    this.#phases[phase]!.latencies.add(now - since + hostWait + databaseWait);
  }

  #queueAtHost(host: number, now: number, cost: number): number {
    const done = Math.max(this.#hostBusy[host]!, now) + cost;
    this.#hostBusy[host] = done;
    this.#hostQueueMax = Math.max(this.#hostQueueMax, done - now);
    return done - now;
  }

  /** Its cores work in parallel, minus the share for leases. */
  #queueAtDatabase(database: number, now: number, cost: number): number {
    const { hosts } = this.#options;
    const speed = this.#machine.databaseCores * Math.max(0.01, 1 - beatShare(this.#machine, hosts));
    const done = Math.max(this.#databaseBusy[database]!, now) + cost / speed;
    this.#databaseBusy[database] = done;
    this.#databaseQueueMax = Math.max(this.#databaseQueueMax, done - now);
    return done - now;
  }

  #hostBalance(): number {
    let sum = 0;
    let living = 0;
    let most = 0;
    for (const [host, load] of this.#loads.entries()) {
      if (this.#isDead[host] === 1) continue;
      living++;
      sum += load;
      most = Math.max(most, load);
    }
    return (most * living) / sum;
  }
}

export function simulateScale(options: ScaleOptions): ScaleResult {
  return new ScaleRun(options).run();
}
