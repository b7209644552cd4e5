/**
 * Calls counters of a cluster of real processes on a real PostgreSQL, while hosts are killed and stopped for longer than
 * their lease and the database is restarted, and checks what the callers saw. Each fault waits until calls have been answered
 * since the last one, so a slow machine only takes longer.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type CounterOperation, checkCounter } from '../check-counter.ts';
import type { PostgresServer } from '../postgres-server.ts';
import { ChildHost } from './child-host.ts';

export type Fault = 'kill' | 'stop' | 'restart-database';

export interface HistoryOptions {
  readonly server: PostgresServer;
  readonly faults: readonly Fault[];
  readonly leaseMs: number;
  readonly plant?: 'none' | 'no-deadline';
}

export interface History {
  readonly problems: readonly string[];
  readonly acknowledged: number;
  readonly unknown: number;
}

const hostCount = 3;
const clientCount = 4;
const objects = ['kv a', 'kv b', 'sql a', 'sql b'];
/** Answers that are waited for, of each object, before the next fault. */
const answersBetween = 3;
const betweenLooksMs = 10;

class HistoryRun {
  readonly #options: HistoryOptions;
  readonly #url: string;
  readonly #hosts: ChildHost[] = [];
  readonly #operations: CounterOperation[] = [];
  /** Orders what the callers see. */
  #moment = 0;
  #numbers = 0;
  #isOver = false;

  constructor(options: HistoryOptions, url: string) {
    this.#options = options;
    this.#url = url;
  }

  async run(): Promise<History> {
    try {
      for (let i = 0; i < hostCount; i++) this.#hosts.push(await this.#startHost());
      const clients = Array.from({ length: clientCount }, (_, index) => this.#callOn(index));
      for (const fault of this.#options.faults) {
        await this.#waitForAnswers();
        await this.#inject(fault);
      }
      await this.#waitForAnswers();
      this.#isOver = true;
      await Promise.all(clients);
      return await this.#check();
    } finally {
      this.#isOver = true;
      await Promise.all(this.#hosts.map((host) => host.kill()));
    }
  }

  #startHost(): Promise<ChildHost> {
    const { leaseMs, plant = 'none' } = this.#options;
    return ChildHost.start(this.#url, { leaseMs, plant });
  }

  async #callOn(client: number): Promise<void> {
    for (let turn = client; !this.#isOver; turn++) {
      const running = this.#hosts.filter(({ isStopped }) => !isStopped);
      const kind = turn % 3 === 0 ? 'read' : 'increment';
      await this.#call(running[turn % running.length]!, kind, objects[(turn * 7 + client) % objects.length]!);
    }
  }

  async #call(host: ChildHost, kind: 'increment' | 'read', object: string): Promise<void> {
    const number = ++this.#numbers;
    const begunAt = ++this.#moment;
    const operation: CounterOperation = { number, kind, object, begunAt, endedAt: 0, value: undefined };
    this.#operations.push(operation);
    const answer = await host.ask({ number, kind, object });
    operation.endedAt = ++this.#moment;
    if (answer !== undefined && 'value' in answer) operation.value = answer.value as number;
  }

  /** Until every object has answered some calls that were begun from now on. */
  async #waitForAnswers(): Promise<void> {
    const from = this.#operations.length;
    const answersOf = (object: string): number =>
      this.#operations.slice(from).filter((each) => each.object === object && each.value !== undefined)
        .length;
    await waitUntil(() => objects.every((object) => answersOf(object) >= answersBetween));
  }

  async #inject(fault: Fault): Promise<void> {
    const { server } = this.#options;
    if (fault === 'restart-database') {
      await server.kill();
      return await server.run();
    }
    const host = await this.#findBusiest();
    if (fault === 'kill') {
      this.#hosts.splice(this.#hosts.indexOf(host), 1);
      await host.kill();
      this.#hosts.push(await this.#startHost());
      return;
    }
    host.stop();
    await this.#waitForAnswers();
    // They wait for it, and the others have gone on without it: what it reads when it goes on must not be told.
    const late = objects.map((object) => this.#call(host, 'read', object));
    host.resume();
    await Promise.all(late);
  }

  /** The host with the most objects. */
  async #findBusiest(): Promise<ChildHost> {
    const loads = await Promise.all(
      this.#hosts.map(async (host) => {
        const answer = await host.ask({ number: ++this.#numbers, kind: 'load', object: '' });
        return { host, load: answer !== undefined && 'value' in answer ? (answer.value as number) : 0 };
      }),
    );
    return loads.toSorted((a, b) => b.load - a.load)[0]!.host;
  }

  async #check(): Promise<History> {
    const problems: string[] = [];
    for (const object of objects) {
      const log = await this.#readLog(object);
      const rows = log.map((operation, index) => ({ sequence: index + 1, operation }));
      problems.push(...checkCounter(object, rows, this.#operations));
    }
    const acknowledged = this.#operations.filter(({ value }) => value !== undefined).length;
    return { problems, acknowledged, unknown: this.#operations.length - acknowledged };
  }

  async #readLog(object: string): Promise<number[]> {
    let log: number[] | undefined;
    await waitUntil(async () => {
      const answer = await this.#hosts[0]!.ask({ number: ++this.#numbers, kind: 'log', object });
      if (answer !== undefined && 'value' in answer) log = answer.value as number[];
      return log !== undefined;
    });
    return log!;
  }
}

/** However long it takes: hosts that a busy machine keeps from renewing their leases are replaced again and again. */
async function waitUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(betweenLooksMs);
}

export async function recordHistory(options: HistoryOptions): Promise<History> {
  return await new HistoryRun(options, await options.server.createDatabase()).run();
}
