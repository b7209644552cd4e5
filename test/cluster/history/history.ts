/**
 * Calls counters of a cluster of real processes on a real PostgreSQL, while hosts are killed, stopped for longer than
 * their lease and cut off, the database is restarted and fails over, and answers to commits are lost; and checks the
 * results of the callers. Each fault waits until calls have been answered since the last one, so a slow machine only
 * takes longer.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { checkAlarms, isRung } from '../check-alarms.ts';
import { type CounterOperation, checkCounter } from '../check-counter.ts';
import type { Loss } from '../fault-proxy.ts';
import type { PostgresServer } from '../postgres-server.ts';
import { ChildHost } from './child-host.ts';
import type { ChildOptions, ChildRequest } from './host-child.ts';

export const faultKinds = {
  kill: 'a host is killed',
  stop: 'a host is stopped for longer than its lease',
  'cut-database': 'nothing passes between a host and the database, for longer than its lease',
  'cut-hosts': 'nothing passes from the other hosts to one',
  'lose-commits': 'connections are lost around commits, which arrive, do not, or arrive late',
  'restart-database': 'the database crashes and is started again',
  failover: 'the database is killed, and its synchronous standby takes its place',
  'jump-clock': 'the clock of a host jumps by a day, forward or back',
} as const;

export type Fault = keyof typeof faultKinds;

export interface HistoryOptions {
  readonly server: PostgresServer;
  /** The address that hosts use, if there is a pooler in between. */
  readonly socketPath?: string;
  readonly faults: readonly Fault[];
  readonly leaseMs: number;
  readonly plant?: ChildOptions['plant'];
}

export interface History {
  readonly problems: readonly string[];
  readonly acknowledged: number;
  readonly unknown: number;
}

const hostCount = 3;
const clientCount = 4;
const objects = ['kv a', 'kv b', 'sql a', 'sql b'];
const ringing = ['kv ring', 'sql ring'];
/** Responses of each object to wait for before the next fault. */
const answersBetween = 3;
const betweenLooksMs = 10;
const losses: readonly Loss[] = ['delivered', 'dropped', 'delivered late'];
/** In the name of the statement; in its text, if it is parsed each time. */
const commitMarkers = ['commit_', 'WITH lease'];
const dayMs = 24 * 60 * 60_000;

class HistoryRun {
  readonly #options: HistoryOptions;
  readonly #urls: readonly string[];
  readonly #hosts: ChildHost[] = [];
  readonly #operations: CounterOperation[] = [];
  readonly #standbys: PostgresServer[] = [];
  #server: PostgresServer;
  /** Orders the results of the callers. */
  #moment = 0;
  #numbers = 0;
  #isOver = false;

  constructor(options: HistoryOptions, urls: readonly string[]) {
    this.#options = options;
    this.#server = options.server;
    this.#urls = urls;
  }

  async run(): Promise<History> {
    try {
      for (let i = 0; i < hostCount; i++) this.#hosts.push(await this.#startHost());
      const clients = Array.from({ length: clientCount }, (_, index) => this.#callOn(index));
      for (const [index, fault] of this.#options.faults.entries()) {
        await this.#waitForAnswers();
        await this.#inject(fault, index);
      }
      await this.#waitForAnswers();
      this.#isOver = true;
      await Promise.all(clients);
      return await this.#check();
    } finally {
      this.#isOver = true;
      await Promise.all(this.#hosts.map((host) => host.kill()));
      for (const standby of this.#standbys) await standby.stop();
    }
  }

  #startHost(): Promise<ChildHost> {
    const { leaseMs, plant = 'none', socketPath: path = this.#server.socketPath } = this.#options;
    return ChildHost.start({ urls: this.#urls, path, leaseMs, plant });
  }

  async #callOn(client: number): Promise<void> {
    for (let turn = client; !this.#isOver; turn++) {
      const running = this.#hosts.filter(({ isStopped }) => !isStopped);
      const host = running[turn % running.length]!;
      if (turn % 11 === 0) void host.ask(this.#request('ring', ringing[turn % ringing.length]!));
      const kind = turn % 3 === 0 ? 'read' : 'increment';
      await this.#call(host, kind, objects[(turn * 7 + client) % objects.length]!);
    }
  }

  #request(kind: ChildRequest['kind'], object: string): ChildRequest {
    return { number: ++this.#numbers, kind, object };
  }

  async #call(host: ChildHost, kind: 'increment' | 'read', object: string): Promise<void> {
    const { number } = this.#request(kind, object);
    const begunAt = ++this.#moment;
    const operation: CounterOperation = { number, kind, object, begunAt, endedAt: 0, value: undefined };
    this.#operations.push(operation);
    const answer = await host.ask({ number, kind, object });
    operation.endedAt = ++this.#moment;
    if (answer !== undefined && 'value' in answer) operation.value = answer.value as number;
  }

  /** Until every object has answered some calls that started from now on. */
  async #waitForAnswers(): Promise<void> {
    const from = this.#operations.length;
    const answersOf = (object: string): number =>
      this.#operations.slice(from).filter((each) => each.object === object && each.value !== undefined)
        .length;
    await waitUntil(() => objects.every((object) => answersOf(object) >= answersBetween));
  }

  async #inject(fault: Fault, index: number): Promise<void> {
    if (fault === 'restart-database') {
      await this.#server.kill();
      return await this.#server.run();
    }
    if (fault === 'failover') return await this.#failOver();
    if (fault === 'lose-commits') {
      for (const loss of losses) await this.#loseCommit(loss);
      return;
    }
    const host = await this.#findBusiest();
    switch (fault) {
      case 'kill':
        this.#hosts.splice(this.#hosts.indexOf(host), 1);
        await host.kill();
        this.#hosts.push(await this.#startHost());
        return;
      case 'stop':
        host.stop();
        return await this.#resumeLate(host, () => host.resume());
      case 'cut-database':
        host.isStopped = true;
        host.toDatabase.swallow();
        return await this.#resumeLate(host, () => host.toDatabase.heal());
      case 'cut-hosts':
        // Its objects answer calls from that host.
        host.fromHosts.swallow();
        await this.#waitForCalls(host);
        return host.fromHosts.heal();
      case 'jump-clock':
        await host.ask(this.#request('jump', String(index % 2 === 0 ? dayMs : -dayMs)));
    }
  }

  /** Of any host: the one with the most objects may lose them all before it commits again. */
  async #loseCommit(loss: Loss): Promise<void> {
    const ways = this.#hosts.map(({ toDatabase }) => toDatabase);
    await Promise.race(ways.map((way) => way.loseAt(commitMarkers, loss)));
    for (const way of ways) way.disarm();
  }

  /**
   * They wait for a host, and the others have continued without it: it must not return what it reads when it resumes.
   */
  async #resumeLate(host: ChildHost, resume: () => void): Promise<void> {
    await this.#waitForAnswers();
    const late = objects.map((object) => this.#call(host, 'read', object));
    host.isStopped = false;
    resume();
    await Promise.all(late);
  }

  async #waitForCalls(host: ChildHost): Promise<void> {
    for (let i = 0; i < answersBetween; i++)
      for (const object of objects) await this.#call(host, 'increment', object);
  }

  async #failOver(): Promise<void> {
    const before = this.#server;
    const standby = await before.startStandby();
    this.#standbys.push(standby);
    await this.#waitForAnswers();
    await before.kill();
    await standby.promote();
    this.#server = standby;
    for (const { toDatabase } of this.#hosts) toDatabase.retarget({ path: standby.socketPath });
  }

  /** The host with the most objects. */
  async #findBusiest(): Promise<ChildHost> {
    const loads = await Promise.all(
      this.#hosts.map(async (host) => {
        const answer = await host.ask(this.#request('load', ''));
        return { host, load: answer !== undefined && 'value' in answer ? (answer.value as number) : 0 };
      }),
    );
    return loads.toSorted((a, b) => b.load - a.load)[0]!.host;
  }

  async #check(): Promise<History> {
    const problems: string[] = [];
    for (const object of objects) {
      const log = await this.#read<number[]>('log', object);
      const rows = log.map((operation, index) => ({ sequence: index + 1, operation }));
      problems.push(...checkCounter(object, rows, this.#operations));
    }
    for (const object of ringing) {
      let notes: string[] = [];
      await waitUntil(async () => {
        notes = await this.#read<string[]>('notes', object);
        return notes.length === 0 || isRung(notes);
      });
      problems.push(...checkAlarms(object, notes));
    }
    const acknowledged = this.#operations.filter(({ value }) => value !== undefined).length;
    return { problems, acknowledged, unknown: this.#operations.length - acknowledged };
  }

  async #read<T>(kind: 'log' | 'notes', object: string): Promise<T> {
    let value: T | undefined;
    await waitUntil(async () => {
      const answer = await this.#hosts[0]!.ask(this.#request(kind, object));
      if (answer !== undefined && 'value' in answer) value = answer.value as T;
      return value !== undefined;
    });
    return value!;
  }
}

/** However long it takes: hosts that a busy machine keeps from renewing their leases are replaced repeatedly. */
async function waitUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(betweenLooksMs);
}

/** The objects are in two databases. */
export async function recordHistory(options: HistoryOptions): Promise<History> {
  const { server } = options;
  const urls = [`${await server.createDatabase()}#one`, `${await server.createDatabase()}#two`];
  return await new HistoryRun(options, urls).run();
}
