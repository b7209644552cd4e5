/**
 * A process of ours, from its start to its end. Its parent knows when it is ready, that it lives, and why it ended:
 *
 * - It is ready when its code says so. One that is not ready in time is ended. One that waits for work has only loaded
 *   its code, and is given its name and setup later, by `begin`.
 * - Its watchdog thread sends a beat ten times a second. Without beats, or when the watchdog says that the event loop does
 *   not turn, the process is ended by SIGKILL: nothing else ends a loop in SQLite or in JavaScript.
 * - `stop` asks it to finish what it does, and ends it if that takes too long, or if it does not notice.
 * - What it prints is in the log of its parent, under its name.
 */
import { type ChildProcess as NodeProcess, type SendHandle, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { listProgramArguments, type Log, shareCompileCache, startOwn, withoutSettings } from '#base';
import { ChildOutput } from './child-output.ts';
import { endProcess } from './end-process.ts';
import { describeEnd, type EndReason } from './end-reason.ts';
import {
  beatMs,
  silentMsDefault,
  startMsMaxDefault,
  starvedFactor,
  stopMarginMs,
  stopNoticeMs,
  stuckMsDefault,
} from './limits.ts';
import { isRunnable } from './is-runnable.ts';
import { Lines } from './lines.ts';
import {
  type Successor,
  firstPassedFd,
  type ToChild,
  type ToParent,
  type WatchLine,
  watchFd,
} from './messages.ts';

/** What a process works on, and what it may take for it. */
export interface ChildWork {
  /** As the log calls it: `edge worker 1`. */
  readonly name: string;
  /** What the module is given; anything that can be cloned. */
  readonly setup: unknown;
  /** Bound sockets that it gets as well, as Node has them inside of a server. */
  readonly handles?: readonly object[];
  readonly log: Log;
  /** CPU time that its event loop may take without a turn. */
  readonly stuckMs?: number;
  /** CPU time that a statement of SQL may take, as `noteStatement` tells of them; any by default. */
  readonly statementMs?: number;
  /** How long its watchdog may not answer: longer for a process whose end costs more than a short stop of it. */
  readonly silentMs?: number;
  /** Of everything the process holds in memory. */
  readonly residentBytesMax?: number;
  /** Until it is ready: longer for a process that may have much to read first. */
  readonly startMsMax?: number;
  /** Where a successor of this process listens (`Orphans`), if the child may outlive it. */
  readonly successor?: Successor | undefined;
  readonly onMessage?: (body: unknown) => void;
  /** Called when it is about to be ended for this reason: its connections still are. */
  readonly onKill?: (reason: EndReason) => void;
  /** Called for each socket that the process passes on to be held. */
  readonly onHandle?: (name: string, handle: object) => void;
}

/** What is needed of a process of Node: one that was taken over has no more. */
export interface ProcessHandle extends Pick<NodeProcess, 'connected' | 'stdout' | 'stderr'> {
  readonly pid?: number | undefined;
  /** Undefined if the machine has no descriptors for it. */
  readonly stdio: readonly unknown[] | undefined;
  send(message: ToChild, handle: SendHandle | undefined, onSent: () => void): unknown;
  kill(signal: 'SIGKILL'): boolean;
  on(event: 'message', listener: (message: unknown, handle: unknown) => void): unknown;
  once(event: 'error', listener: (error: Error) => void): unknown;
}

/** A process that runs a module that calls `runChild`, started by somebody who could not wait for this code. */
export interface StartedProcess {
  /** Its standard output and error are as they were made; then come a channel and a pipe, as `spawnChild` makes them. */
  readonly process: ProcessHandle;
  readonly closed: Promise<ClosedProcess>;
}

/** How a process has ended, or why there is none. */
export type ClosedProcess =
  | { readonly code: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly error: Error };

export type ChildProcessOptions =
  | (SpawnOptions & { readonly started?: never })
  | (ChildWork & { readonly started: StartedProcess });

interface SpawnOptions extends ChildWork {
  /** A module that calls `runChild`. */
  readonly module: URL;
  /** Whether it only loads its code and waits for `begin`. */
  readonly isWaiting?: boolean;
  /** Of the heap of JavaScript. V8 ends a process that needs more. */
  readonly heapBytesMax?: number;
  /** Of what JavaScript has just made: less makes a process smaller, and collecting garbage more frequent. */
  readonly semiSpaceBytesMax?: number;
  /** Open files that it gets as descriptors from `firstPassedFd` on; `pipe` for a connection to this process. */
  readonly passed?: readonly (number | 'pipe')[];
  /** Where what it prints goes: into the log, under its name (default), or to where this process prints. */
  readonly output?: 'log' | 'inherit';
}

/** A process that has ended before it was ready. */
export class ChildEndedError extends Error {
  override readonly name = 'ChildEndedError';
  readonly reason: EndReason;

  constructor(name: string, reason: EndReason) {
    super(reason.kind === 'failed' ? reason.message : `${name} has ended: ${describeEnd(reason)}`);
    this.reason = reason;
  }
}

export class ChildProcess {
  readonly #process: ProcessHandle;
  readonly #output: ChildOutput;
  readonly #ready = Promise.withResolvers<unknown>();
  readonly #ended = Promise.withResolvers<EndReason>();
  /** Why it is being ended, if we end it. */
  #cause: EndReason | undefined;
  #isReady = false;
  #hasNoticedStop = false;
  #residentBytes = 0;
  /** Since its watchdog was heard last. */
  #quietMs = 0;
  #watch: NodeJS.Timeout | undefined;
  #startTimer: NodeJS.Timeout | undefined;
  #work: ChildWork;

  constructor(options: ChildProcessOptions) {
    this.#work = options;
    const { process: started, closed } = options.started ?? spawnChild(options);
    this.#process = started;
    this.#output = new ChildOutput({ nameOf: () => this.name, logOf: () => this.#work.log });
    this.#ready.promise.catch(() => {});
    this.#listen();
    void closed.then((end) => this.#end(end));
    if (options.started !== undefined || options.isWaiting !== true) this.begin(options);
  }

  /** Gives a process that waits its work; called once. */
  begin(work: ChildWork): void {
    this.#work = work;
    const { name, setup, stuckMs = stuckMsDefault, statementMs = 0, handles = [] } = work;
    const { startMsMax = startMsMaxDefault, successor } = work;
    this.#startTimer = setTimeout(() => this.kill({ kind: 'not ready', ms: startMsMax }), startMsMax);
    for (const handle of handles) void this.#tell({ kind: 'handle' }, handle);
    void this.#tell({ kind: 'start', name, setup, stuckMs, statementMs, successor });
  }

  get name(): string {
    return this.#work.name;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** As its watchdog said last. */
  get residentBytes(): number {
    return this.#residentBytes;
  }

  /** Resolves to what its code says when it is ready; rejects with a `ChildEndedError`. */
  get ready(): Promise<unknown> {
    return this.#ready.promise;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  get ended(): Promise<EndReason> {
    return this.#ended.promise;
  }

  /** The connection that was passed as `pipe` at this index. */
  pipe(index: number): Socket {
    return this.#process.stdio?.[firstPassedFd + index] as Socket;
  }

  /** A message to a process that is ending is dropped. Resolves when it has left this process. */
  send(body: unknown): Promise<void> {
    return this.#tell({ kind: 'message', body });
  }

  /** Asks it to stop, and ends it if it takes longer than the grace. */
  async stop({ graceMs }: { readonly graceMs: number }): Promise<EndReason> {
    if (this.#cause === undefined) {
      this.#cause = { kind: 'stopped' };
      void this.#tell({ kind: 'stop', graceMs });
    }
    const timer = setTimeout(() => this.#endAtStop(), graceMs + stopMarginMs);
    const notice = setTimeout(() => {
      if (!this.#hasNoticedStop) this.#endAtStop();
    }, stopNoticeMs);
    const reason = await this.ended;
    clearTimeout(timer);
    clearTimeout(notice);
    return reason;
  }

  /** Ends it at once, for the reason. */
  kill(reason: EndReason): void {
    if (this.#cause === undefined || this.#cause.kind === 'stopped') {
      this.#cause = reason;
      this.#work.onKill?.(reason);
    }
    this.#process.kill('SIGKILL');
  }

  #endAtStop(): void {
    const { name: process, pid } = this;
    this.#work.log.warn('a process did not stop when it was asked to; ending it', { process, pid });
    this.#process.kill('SIGKILL');
  }

  #tell(message: ToChild, handle?: object): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (!this.#process.connected) return Promise.resolve();
    // Its end is reported by `ended`, so a message that it does not get needs no report of its own.
    this.#process.send(message, handle as SendHandle | undefined, () => resolve());
    return promise;
  }

  #listen(): void {
    const { stdout, stderr, stdio } = this.#process;
    if (stdout) this.#output.read(stdout, 'info');
    if (stderr) this.#output.read(stderr, 'warn');
    const beats = stdio?.[watchFd] as Socket | undefined;
    if (beats !== undefined) this.#readWatchdog(beats);
    this.#process.on('message', (message, handle: unknown) =>
      this.#take(message as ToParent, handle as object),
    );
    this.#process.once('error', (error) => {
      this.#cause ??= { kind: 'failed', name: error.name, message: error.message };
    });
  }

  #take(message: ToParent, handle: object): void {
    switch (message.kind) {
      case 'handle':
        return this.#work.onHandle?.(message.name, handle);
      case 'ready':
        clearTimeout(this.#startTimer);
        this.#isReady = true;
        this.#expectBeats();
        return this.#ready.resolve(message.value);
      case 'failed':
        this.#cause ??= message;
        return undefined;
      case 'stopping':
        this.#hasNoticedStop = true;
        return undefined;
      case 'beat':
        this.#quietMs = 0;
        return this.#takeResidentBytes(message.residentBytes);
      case 'printed':
        return this.#output.take(message.text.trimEnd(), 'warn');
      case 'message':
        return this.#work.onMessage?.(message.body);
    }
  }

  #readWatchdog(pipe: Socket): void {
    const lines = new Lines((line) => this.#takeWatchLine(JSON.parse(line) as WatchLine));
    pipe.setEncoding('utf8');
    pipe.on('data', (piece: string) => lines.add(piece));
    pipe.on('error', () => {});
    // Children that outlive the process have it, too: it must not keep this one.
    void this.ended.then(() => pipe.unref());
  }

  #takeWatchLine(line: WatchLine): void {
    if (line.orphan !== undefined) return this.#takeOrphanLine(line);
    this.#quietMs = 0;
    // A process that waits itself is not waited for.
    if (this.#startTimer !== undefined) this.#expectBeats();
    if (line.kind !== 'beat') return this.kill(line);
    if (line.residentBytes !== undefined) this.#takeResidentBytes(line.residentBytes);
  }

  /** Its parent has ended, and the process that has adopted it cannot look into it. */
  #takeOrphanLine(line: WatchLine): void {
    if (line.kind === 'beat') return;
    const { orphan: pid, ms, work } = line;
    if (endProcess(pid!)) this.#work.log.error('a process hangs; ending it', { pid, ms, ...work });
  }

  #takeResidentBytes(bytes: number): void {
    const { residentBytesMax: bytesMax = Infinity } = this.#work;
    this.#residentBytes = bytes;
    if (bytes > bytesMax) this.kill({ kind: 'memory', bytes, bytesMax });
  }

  #expectBeats(): void {
    const { silentMs = silentMsDefault } = this.#work;
    // Who may be silent for long is looked at less often.
    const lookMs = Math.max(beatMs, silentMs / 10);
    this.#watch ??= setInterval(() => {
      this.#quietMs += lookMs;
      if (this.#quietMs <= silentMs) return;
      if (this.#quietMs <= silentMs * starvedFactor && isRunnable(this.pid)) return;
      this.kill({ kind: 'silent', ms: silentMs });
    }, lookMs);
  }

  #end(end: ClosedProcess): void {
    clearTimeout(this.#startTimer);
    clearInterval(this.#watch);
    const reason = this.#cause ?? this.#explain(end);
    this.#ready.reject(new ChildEndedError(this.name, reason));
    this.#ended.resolve(reason);
  }

  #explain(end: ClosedProcess): EndReason {
    const { said } = this.#output;
    if ('error' in end) return { kind: 'failed', name: end.error.name, message: end.error.message };
    const { code, signal } = end;
    return signal === null ? { kind: 'exited', code: code ?? 0, said } : { kind: 'signal', signal, said };
  }
}

function spawnChild(options: SpawnOptions): StartedProcess {
  const { module, passed = [] } = options;
  const output = options.output === 'inherit' ? 'inherit' : 'pipe';
  const child = startOwn(() =>
    spawn(process.execPath, listProgramArguments(listFlags(options), module), {
      stdio: ['ignore', output, output, 'ipc', 'pipe', ...passed],
      serialization: 'advanced',
      env: { ...withoutSettings(process.env), ...shareCompileCache() },
    }),
  );
  const { promise, resolve } = Promise.withResolvers<ClosedProcess>();
  child.once('close', (code, signal) => resolve({ code, signal }));
  // Without a process there is no `close`.
  child.once('error', (error) => child.pid === undefined && resolve({ error }));
  return { process: child, closed: promise };
}

/** Flags of this process that are for its own code only. */
const ownFlags =
  /^(?:--test|--inspect|--watch|--eval|--print|--max-old-space-size|--max-semi-space-size|--import|-[epr]$)/;

function listFlags({ heapBytesMax, semiSpaceBytesMax }: SpawnOptions): string[] {
  const flags = process.execArgv.filter((flag) => flag.startsWith('--') && !ownFlags.test(flag));
  if (heapBytesMax !== undefined) flags.push(`--max-old-space-size=${toMegabytes(heapBytesMax)}`);
  if (semiSpaceBytesMax !== undefined) flags.push(`--max-semi-space-size=${toMegabytes(semiSpaceBytesMax)}`);
  return flags;
}

function toMegabytes(bytes: number): number {
  return Math.ceil(bytes / 1_048_576);
}
