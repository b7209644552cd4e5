/**
 * The other side: the code of a child process. Its module calls `runChild` first and imports what it needs inside of
 * `start`, so that it is watched from its first moments.
 */
import type { SendHandle } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import { workNotes } from '#base';
import { beatMs, blockedFactor, lookMsMax, shrinkMs, startStuckMs, statementClockFactor } from './limits.ts';
import { type ToChild, type ToParent, type WatchThreadData, watchWords } from './messages.ts';
import { importQuickly } from './quick-imports.ts';
import { shrinkHeap } from './shrink-heap.ts';

/** What a child that runs offers. */
export interface RunningChild {
  /** Told to the parent with the news that the child is ready. */
  readonly value?: unknown;
  /** CPU time that the event loop may take without a turn, if only the child knows it. */
  readonly stuckMs?: number;
  /** CPU time that a statement of SQL may take, likewise; 0 for any. */
  readonly statementMs?: number;
  /** Finishes what is under way, within the grace. */
  stop(options: { readonly graceMs: number }): Promise<void>;
}

/** The parent, as its child sees it. */
export interface ParentLink {
  /** Those that the parent passed on, in their order. */
  readonly handles: readonly object[];
  /** Resolves when the message has left this process. */
  send(body: unknown): Promise<void>;
  /** Passes a socket to the parent, where it stays open when this process ends. */
  hold(name: string, handle: object): void;
  /** There is one listener; messages that come before it wait for it. */
  listen(listener: (body: unknown) => void): void;
  /** Until it is disposed of, the event loop may take this much CPU time without a turn. */
  allowLongTurn(ms: number): Disposable;
}

type Start = (parent: ParentLink, setup: unknown) => Promise<RunningChild>;

export interface RunChildOptions {
  /** Called before it is known what to do: imports what `start` will need. */
  readonly load?: () => Promise<unknown>;
}

export function runChild(start: Start, { load }: RunChildOptions = {}): void {
  importQuickly();
  const child = new Child(start);
  child.run();
  load?.().then(
    () => child.shrinkIfWaiting(),
    // What is wrong is said by `start`, which imports the same.
    () => {},
  );
}

/** Exit codes as sysexits.h has them: the parent is gone, or the start failed. */
const exitCodes = { orphaned: 69, failed: 70 } as const;

class Child implements ParentLink {
  readonly #start: Start;
  readonly handles: object[] = [];
  readonly #words = new Int32Array(new SharedArrayBuffer(12));
  readonly #waiting: unknown[] = [];
  #stuckMs = startStuckMs;
  #listener: ((body: unknown) => void) | undefined;
  #running: Promise<RunningChild | undefined> | undefined;

  constructor(start: Start) {
    this.#start = start;
  }

  run(): void {
    // They can reach every process of a terminal or a service at once; the parent decides what a child does about it.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => {});
    process.once('disconnect', () => process.exit(exitCodes.orphaned));
    process.on('message', (message, handle: unknown) => this.#take(message as ToChild, handle as object));
    this.#watch();
  }

  /** One that is only ahead of its parent begins before that. */
  shrinkIfWaiting(): void {
    setTimeout(() => {
      if (this.#running === undefined) shrinkHeap();
    }, shrinkMs).unref();
  }

  send(body: unknown): Promise<void> {
    return tell({ kind: 'message', body });
  }

  hold(name: string, handle: object): void {
    void tell({ kind: 'handle', name }, handle);
  }

  listen(listener: (body: unknown) => void): void {
    this.#listener = listener;
    for (const body of this.#waiting.splice(0)) listener(body);
  }

  allowLongTurn(ms: number): Disposable {
    Atomics.store(this.#words, watchWords.stuckMs, Math.max(ms, this.#stuckMs));
    return {
      [Symbol.dispose]: () => {
        Atomics.add(this.#words, watchWords.turns, 1);
        Atomics.store(this.#words, watchWords.stuckMs, this.#stuckMs);
      },
    };
  }

  #watch(): void {
    Atomics.store(this.#words, watchWords.stuckMs, this.#stuckMs);
    setInterval(() => Atomics.add(this.#words, watchWords.turns, 1), beatMs).unref();
    const workerData: WatchThreadData = {
      words: this.#words.buffer,
      notes: workNotes,
      beatMs,
      blockedFactor,
      statementClockFactor,
      lookMsMax,
    };
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    new Worker(new URL(`./watch-thread.${extension}`, import.meta.url), {
      workerData,
      // It holds a few strings.
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
      execArgv: [],
    }).unref();
  }

  #take(message: ToChild, handle: object): void {
    switch (message.kind) {
      case 'handle':
        this.handles.push(handle);
        return undefined;
      case 'start':
        // As `ps` shows it.
        process.title = `gatehouse: ${message.name}`;
        Atomics.store(this.#words, watchWords.statementMs, message.statementMs);
        this.#running ??= this.#run(message.setup, message.stuckMs);
        return undefined;
      case 'message':
        if (this.#listener === undefined) this.#waiting.push(message.body);
        else this.#listener(message.body);
        return undefined;
      case 'stop':
        void this.#stop(message.graceMs);
    }
  }

  async #run(setup: unknown, stuckMs: number): Promise<RunningChild | undefined> {
    try {
      const running = await this.#start(this, setup);
      this.#stuckMs = running.stuckMs ?? stuckMs;
      Atomics.store(this.#words, watchWords.stuckMs, this.#stuckMs);
      if (running.statementMs !== undefined)
        Atomics.store(this.#words, watchWords.statementMs, running.statementMs);
      await tell({ kind: 'ready', value: running.value });
      return running;
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error));
      await tell({ kind: 'failed', name, message });
      process.exit(exitCodes.failed);
    }
    return undefined;
  }

  async #stop(graceMs: number): Promise<void> {
    void tell({ kind: 'stopping' });
    const running = await this.#running;
    await running?.stop({ graceMs });
    process.exit(0);
  }
}

/** A parent that is gone cannot be told anything; `disconnect` ends this process. */
function tell(message: ToParent, handle?: object): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (!process.connected) return Promise.resolve();
  process.send!(message, handle as SendHandle | undefined, undefined, () => resolve());
  return promise;
}
