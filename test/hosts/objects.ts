/** The objects of the tests of hosts, which each host process loads. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Namespaces } from '#hosts';
import { type AlarmInfo, DurableObject, RpcTarget } from '#objects';

interface Env {
  readonly Probe: { getByName(name: string): ProbeStub };
  /** A service of the main process, if it offers one. */
  readonly diary: { note(text: string): Promise<number> };
}

// oxlint-disable-next-line typescript/no-explicit-any -- any method of Probe
type ProbeStub = any;

class Tally extends RpcTarget {
  #sum = 0;
  add(by: number): number {
    this.#sum += by;
    return this.#sum;
  }
}

export class Probe extends DurableObject<Env> {
  #memory = 0;

  text(length: number): string {
    return 'x'.repeat(length);
  }

  pid(): number {
    return process.pid;
  }

  async increment(): Promise<number> {
    const value = ((await this.ctx.storage.get<number>('value')) ?? 0) + 1;
    await this.ctx.storage.put('value', value);
    return value;
  }

  /** Lost when the object is reset. */
  remember(): number {
    return ++this.#memory;
  }

  loopForEver(): never {
    for (;;);
  }

  queryForEver(): unknown {
    const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n';
    return this.ctx.storage.sql.exec(endless).one();
  }

  /** Starts an operation whose failure nothing observes. */
  throwBeside(): Promise<never> {
    queueMicrotask(() => {
      throw new Error('nobody catches this');
    });
    return new Promise(() => {});
  }

  async fillMemory(): Promise<never> {
    for (const kept: unknown[] = []; ; await new Promise((resolve) => setImmediate(resolve)))
      kept.push(Array.from({ length: 10_000 }, (_, i) => ({ i })));
  }

  /**
   * Allocates more than that outside the heap, with a pause after each piece, so that a slow machine is not mistaken
   * for a loop.
   */
  async holdBuffers(bytes: number): Promise<never> {
    const held: Buffer[] = [];
    while (held.length < bytes / 2 ** 20) {
      held.push(Buffer.alloc(2 ** 20, 1));
      await nextTurn();
    }
    return new Promise((resolve) => void setTimeout(() => resolve(held as never), 1e9));
  }

  abort(): never {
    return this.ctx.abort('on request');
  }

  fail(): never {
    throw Object.assign(new RangeError('out of range'), { retryable: true });
  }

  waitForEver(): Promise<never> {
    return new Promise(() => {});
  }

  async ask(name: string, method: string, ...args: unknown[]): Promise<unknown> {
    return await this.env.Probe.getByName(name)[method](...args);
  }

  tally(): Tally {
    return new Tally();
  }

  async apply(f: (value: number) => Promise<number>, value: number): Promise<number> {
    return await f(value);
  }

  /** Gives a stub of an object to a function of its caller. */
  async hand(name: string, f: (stub: ProbeStub) => Promise<unknown>): Promise<unknown> {
    return await f(this.env.Probe.getByName(name));
  }

  /** Calls through a stub that it received. */
  async pidOf(stub: ProbeStub): Promise<number> {
    return await stub.pid();
  }

  async fetch(request: Request): Promise<Response> {
    return new Response(request.body, { headers: { 'x-method': request.method } });
  }

  async ring(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now());
  }

  /** Sets an alarm whose handler never ends. */
  async ringForEver(): Promise<void> {
    await this.ctx.storage.put('for ever', true);
    await this.ring();
  }

  async alarm({ retryCount }: AlarmInfo): Promise<void> {
    if (await this.ctx.storage.get('for ever')) this.queryForEver();
    await this.ctx.storage.put('rang', `after ${retryCount} retries`);
    if (await this.ctx.storage.get('tells'))
      await this.env.diary.note(`${this.ctx.id.name} at ${Date.now()}`);
  }

  async rang(): Promise<unknown> {
    return await this.ctx.storage.get('rang');
  }

  /** Sets an alarm, which notifies the main process. */
  async ringAt(time: number): Promise<void> {
    await this.ctx.storage.put('tells', true);
    await this.ctx.storage.setAlarm(time);
  }

  async put(key: string, value: unknown): Promise<void> {
    await this.ctx.storage.put(key, value);
  }

  async get(key: string): Promise<unknown> {
    return await this.ctx.storage.get(key);
  }

  async bookmark(): Promise<string> {
    return await this.ctx.storage.getCurrentBookmark();
  }

  async restoreLater(bookmark: string): Promise<void> {
    await this.ctx.storage.onNextSessionRestoreBookmark(bookmark);
  }

  now(): number {
    return Date.now();
  }

  async note(text: string): Promise<number> {
    return await this.env.diary.note(text);
  }
}

/** The same with key-value storage. */
export class Store extends Probe {}

export const classes = {
  Probe: { class: Probe, storage: 'sql' },
  Store: { class: Store, storage: 'kv' },
} as const;

export function createEnv(namespaces: Namespaces): unknown {
  return {
    Probe: namespaces.namespace('Probe'),
    Store: namespaces.namespace('Store'),
    diary: namespaces.service('diary'),
  };
}
