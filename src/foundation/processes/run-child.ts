/**
 * The code of a child process. Its module calls `runChild` first and imports the modules it needs inside `start`, so
 * that it is watched from its first moments.
 */
import type { SendHandle } from 'node:child_process';
import { importQuickly, startThread } from '#base';
import { startOwn, workNotes } from '#work';
import {
  adoptedBeatMs,
  beatMs,
  blockedFactor,
  failureCharactersMax,
  lookMsMax,
  shrinkMs,
  startStuckMs,
  statementClockFactor,
} from './limits.ts';
import { measureMemory } from './measured/measure-memory.ts';
import { type PassedHandle, type ToChild, type WatchThreadData, watchFd, watchWords } from './messages.ts';
import type { OrphanFacts } from './orphans/orphans.ts';
import { ParentChannel } from './orphans/parent-channel.ts';
import { shrinkHeap } from './shrink-heap.ts';

/** The interface of a running child. */
export interface RunningChild {
  /** Passed to the parent when the child is ready. */
  readonly value?: unknown;
  /** CPU time that one turn of the event loop may take, if only the child knows it. */
  readonly stuckMs?: number;
  /** CPU time that a statement of SQL may take, likewise; 0 for no limit. */
  readonly statementMs?: number;
  /** Called when the parent knows that the child is ready: only then may the child announce itself elsewhere. */
  announce?(): void;
  /** Finishes the work in progress, within the grace period. */
  stop(options: { readonly graceMs: number }): Promise<void>;
}

/** The child's interface to its parent. */
export interface ParentLink {
  /** The handles that the parent passed on, in order. */
  readonly handles: readonly object[];
  /** Resolves when the message has left this process. */
  send(body: unknown): Promise<void>;
  /** Passes a socket to the parent, where it stays open when this process ends; in effect once this resolves. */
  hold(name: string, handle: object): Promise<void>;
  /** Writes a line of the log, to wherever it is read. */
  print(text: string): void;
  /** Whether there is a parent that receives messages. */
  readonly isThere: boolean;
  /** Called when the parent has ended and this process continues: the parent will not answer pending messages. */
  onLost(listener: () => void): void;
  /** There is one listener; messages that arrive earlier wait for it. */
  listen(listener: (body: unknown) => void): void;
  /** Until it is disposed of, a turn of the event loop may take this much CPU time. */
  limitTurn(ms: number): Disposable;
}

/** User code may not end the process where it runs, but the program may. */
function exit(code: number): never {
  return startOwn(() => process.exit(code));
}

type StartMessage = Extract<ToChild, { readonly kind: 'start' }>;

type Start = (parent: ParentLink, setup: unknown) => Promise<RunningChild>;

export interface RunChildOptions {
  /** Called before the work is known: imports what `start` will need. */
  readonly load?: () => Promise<unknown>;
}

export function runChild(start: Start, { load }: RunChildOptions = {}): void {
  importQuickly();
  const child = new Child(start);
  child.run();
  load?.().then(
    () => child.shrinkIfWaiting(),
    // `start` reports the problem, as it imports the same modules.
    () => {},
  );
}

/** Exit codes of sysexits.h: the parent has ended, or the start failed. */
const exitCodes = { orphaned: 69, failed: 70 } as const;

class Child implements ParentLink {
  readonly #start: Start;
  readonly handles: object[] = [];
  #onHandle: (() => void) | undefined;
  readonly #words = new Int32Array(new SharedArrayBuffer(20));
  readonly #waiting: unknown[] = [];
  #stuckMs = startStuckMs;
  #listener: ((body: unknown) => void) | undefined;
  #running: Promise<RunningChild | undefined> | undefined;
  readonly #channel = new ParentChannel((message) => this.#take(message));
  /** Where a successor of the parent will listen, if this process may outlive it; and what is sent to it. */
  #successor: { readonly path: string; readonly facts: OrphanFacts } | undefined;
  #onParentLost: (() => void) | undefined;
  #isStopping = false;

  constructor(start: Start) {
    this.#start = start;
  }

  run(): void {
    // They can reach every process of a terminal or a service at once; the parent decides how a child reacts.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => {});
    process.on('message', (_message, handle: unknown) => {
      this.handles.push(handle as object);
      this.#onHandle?.();
    });
    void this.#outlive();
    this.#watch();
  }

  /** A process that is needed soon begins before the delay is over. */
  shrinkIfWaiting(): void {
    setTimeout(() => {
      if (this.#running === undefined) shrinkHeap();
    }, shrinkMs).unref();
  }

  send(body: unknown): Promise<void> {
    return this.#channel.tell({ kind: 'message', body });
  }

  hold(name: string, handle: object): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const message: PassedHandle = { name };
    if (process.connected) process.send!(message, handle as SendHandle, undefined, () => resolve());
    return promise;
  }

  get isThere(): boolean {
    return this.#channel.isOpen;
  }

  print(text: string): void {
    if (this.#channel.isFirst) process.stderr.write(text);
    else void this.#channel.tell({ kind: 'printed', text });
  }

  onLost(listener: () => void): void {
    this.#onParentLost = listener;
  }

  listen(listener: (body: unknown) => void): void {
    this.#listener = listener;
    for (const body of this.#waiting.splice(0)) listener(body);
  }

  limitTurn(ms: number): Disposable {
    Atomics.store(this.#words, watchWords.stuckMs, ms);
    return {
      [Symbol.dispose]: () => {
        Atomics.add(this.#words, watchWords.turns, 1);
        Atomics.store(this.#words, watchWords.stuckMs, this.#stuckMs);
      },
    };
  }

  #watch(): void {
    Atomics.store(this.#words, watchWords.stuckMs, this.#stuckMs);
    Atomics.store(this.#words, watchWords.beatsFd, watchFd);
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
    startThread(new URL(`./watch-thread.${extension}`, import.meta.url), {
      workerData,
      // The thread holds a few strings.
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
      execArgv: [],
    }).unref();
  }

  #take(message: ToChild): void {
    switch (message.kind) {
      case 'start':
        // Shown by `ps`.
        process.title = `gatehouse: ${message.name}`;
        Atomics.store(this.#words, watchWords.statementMs, message.statementMs);
        if (this.#running !== undefined) void this.#introduce(this.#running);
        this.#running ??= this.#run(message);
        this.#allowOutliving(message);
        return undefined;
      case 'message':
        if (this.#listener === undefined) this.#waiting.push(message.body);
        else this.#listener(message.body);
        return undefined;
      case 'stop':
        void this.#stop(message.graceMs);
    }
  }

  async #run({ setup, stuckMs, ...passing }: StartMessage): Promise<RunningChild | undefined> {
    try {
      await this.#takeHandles(passing);
      const running = await this.#start(this, setup);
      this.#stuckMs = running.stuckMs ?? stuckMs;
      Atomics.store(this.#words, watchWords.stuckMs, this.#stuckMs);
      if (running.statementMs !== undefined)
        Atomics.store(this.#words, watchWords.statementMs, running.statementMs);
      await this.#channel.tell({ kind: 'ready', value: running.value });
      running.announce?.();
      return running;
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error));
      const text = message.slice(0, failureCharactersMax);
      await this.#channel.tell({ kind: 'failed', name, message: text });
      exit(exitCodes.failed);
    }
    return undefined;
  }

  /** First of all: from then on, user code may run here, and the parent no longer reads Node's channel. */
  async #takeHandles({
    handles: count,
    passesSockets,
  }: Omit<StartMessage, 'setup' | 'stuckMs'>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onHandle = () => {
      if (this.handles.length >= count) resolve();
    };
    this.#onHandle();
    await promise;
    if (!passesSockets && process.connected) process.disconnect?.();
  }

  /** To a parent that has adopted this process. */
  async #introduce(running: Promise<RunningChild | undefined>): Promise<void> {
    const value = (await running)?.value;
    await this.#channel.tell({ kind: 'ready', value });
  }

  #allowOutliving({ name, successor }: StartMessage): void {
    if (successor === undefined) return;
    const { path, setupDigest } = successor;
    this.#successor = { path, facts: { pid: process.pid, name, setupDigest } };
    Atomics.store(this.#words, watchWords.mayOutlive, 1);
    // Errors of the pipes to a parent that has ended.
    process.stdout.on('error', () => {});
    process.stderr.on('error', () => {});
  }

  /** When the parent has ended, continues without one until its successor connects, and so on; or exits. */
  async #outlive(): Promise<void> {
    await this.#channel.lost();
    for (;;) {
      if (this.#successor === undefined || this.#isStopping) exit(exitCodes.orphaned);
      this.#onParentLost?.();
      await this.#channel.findParent(this.#successor.path, this.#successor.facts);
      const beats = setInterval(() => {
        void this.#channel.tell({ kind: 'beat', residentBytes: measureMemory() });
      }, adoptedBeatMs).unref();
      await this.#channel.lost();
      clearInterval(beats);
    }
  }

  async #stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    void this.#channel.tell({ kind: 'stopping' });
    const running = await this.#running;
    await running?.stop({ graceMs });
    exit(0);
  }
}
