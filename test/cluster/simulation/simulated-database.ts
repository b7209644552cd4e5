/**
 * The database of a simulated cluster: what the statements of `src/runtime/cluster/postgres/statements.ts` do, on maps. Each runs at
 * one moment, as it does in the end on a database, whatever it waited for before.
 */
import type {
  ClaimAnswer,
  CommitAnswer,
  HostReport,
  HostSeen,
  NewHost,
  Write,
} from '../../../src/runtime/cluster/ownership/lease-database.ts';
import type { Renewed } from '../../../src/runtime/cluster/leases/lease-renewal.ts';
import type { SimulatedTime } from './simulated-time.ts';

/** A planted bug, to check that it is found. */
export type Plant = 'none' | 'no-fence' | 'no-deadline' | 'release-stopped';

interface Host {
  readonly leaseMs: number;
  readonly address: string;
  beat: number;
  until: number;
  isDead: boolean;
}

interface Head {
  host: string;
  epoch: number;
  sequence: number;
  wrote: number;
}

export interface LogRow {
  readonly sequence: number;
  readonly epoch: number;
  readonly operation: number;
}

export class SimulatedDatabase {
  /** How far its clock is ahead of virtual time; it jumps. */
  clockOffset = 0;
  readonly logs = new Map<string, LogRow[]>();
  readonly #time: SimulatedTime;
  readonly #plant: Plant;
  readonly #hosts = new Map<string, Host>();
  readonly #heads = new Map<string, Head>();

  constructor(time: SimulatedTime, plant: Plant) {
    this.#time = time;
    this.#plant = plant;
  }

  get #now(): number {
    return this.#time.now + this.clockOffset;
  }

  join({ id, leaseMs, address }: NewHost): void {
    this.#hosts.set(id, { leaseMs, address, beat: 0, until: this.#now + leaseMs, isDead: false });
  }

  beat(id: string, { leaseMs, isLooking }: HostReport): HostSeen[] | 'renewed' | 'declared dead' {
    const host = this.#hosts.get(id);
    if (host === undefined || host.isDead) return 'declared dead';
    host.beat++;
    host.until = this.#now + leaseMs;
    if (!isLooking) return 'renewed';
    const others = [...this.#hosts].filter(([other, { isDead }]) => other !== id && !isDead);
    return others.map(([other, seen]) => ({
      ...seen,
      id: other,
      isOver: this.#isOver(seen),
      load: 0,
      isLeaving: false,
      busyMs: 0,
    }));
  }

  keep(id: string, leaseMs: number): Renewed {
    const host = this.#hosts.get(id);
    if (host === undefined) return 'not there';
    if (host.isDead) return 'declared dead';
    host.beat++;
    host.until = this.#now + leaseMs;
    return 'renewed';
  }

  bury(id: string, beat: number): boolean {
    const host = this.#hosts.get(id);
    if (host === undefined || host.isDead || host.beat !== beat || !this.#isOver(host)) return false;
    host.isDead = true;
    return true;
  }

  leave(id: string): void {
    const host = this.#hosts.get(id);
    if (host !== undefined) host.isDead = true;
  }

  claim(host: string, object: string): ClaimAnswer {
    if (!this.#isLeased(host)) return { result: 'unleased' };
    const head = this.#heads.get(object) ?? { host, epoch: 0, sequence: 0, wrote: 0 };
    const owner = this.#hosts.get(head.host);
    if (head.host !== host && owner !== undefined && !owner.isDead)
      return { result: 'elsewhere', host: head.host, beat: owner.beat, leaseMs: owner.leaseMs };
    head.host = host;
    head.epoch++;
    this.#heads.set(object, head);
    const { epoch, sequence, wrote } = head;
    return { result: 'claimed', epoch, sequence, wrote, checkpoint: undefined };
  }

  commit(host: string, writes: readonly Write[]): CommitAnswer {
    const isFenced = this.#plant !== 'no-fence';
    if (isFenced && !this.#isLeased(host)) return { isLeased: false, done: writes.map(() => false) };
    const done = writes.map(({ object, epoch, sequence, payload }) => {
      const head = this.#heads.get(object);
      if (head === undefined || head.sequence !== sequence - 1) return false;
      if (isFenced && (head.host !== host || head.epoch !== epoch)) return false;
      head.sequence = sequence;
      head.wrote = epoch;
      const log = this.logs.get(object) ?? [];
      log.push({ sequence, epoch, operation: Buffer.from(payload).readUInt32LE() });
      this.logs.set(object, log);
      return true;
    });
    return { isLeased: true, done };
  }

  #isOver({ until, leaseMs }: Host): boolean {
    return until < this.#now || until > this.#now + 2 * leaseMs;
  }

  #isLeased(id: string): boolean {
    const host = this.#hosts.get(id);
    return host !== undefined && !host.isDead && host.until > this.#now;
  }
}
