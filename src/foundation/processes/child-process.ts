/**
 * A process of ours, from its start to its end. Its parent knows when it is ready, that it lives, and why it ended:
 *
 * - It is ready when its code says so. One that is not ready in time is ended. One that waits for work has only loaded
 *   its code, and is given its name and setup later, by `begin`.
 * - Its watchdog thread sends a beat ten times a second. Without beats, or when the watchdog says that the event loop does
 *   not turn, the process is ended by SIGKILL: nothing else ends a loop in SQLite or in JavaScript.
 * - `stop` asks it to finish what it does, and ends it if that takes too long, or if it does not notice.
 * - What it prints is in the log of its parent, under its name.
 * - What it sends is read as what a stranger sends: bounded, in turns, and checked. A wrong word ends it, and nothing else.
 */
import type { SendHandle } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Log } from '#base';
import { Frames, writeFrame } from './channel/frames.ts';
import { Intake } from './channel/intake.ts';
import { Lines } from './channel/lines.ts';
import { ProtocolError } from './channel/protocol-error.ts';
import { readFields, readSent, readText, readWatchLine } from './channel/read-sent.ts';
import { ChildOutput } from './child-output.ts';
import { describeEnd, type EndReason } from './end-reason.ts';
import {
  beatMs,
  closedChannelMs,
  messageBytesMaxDefault,
  namedCharactersMax,
  silentMsDefault,
  startMsMaxDefault,
  starvedFactor,
  stopMarginMs,
  stopNoticeMs,
  stuckMsDefault,
} from './limits.ts';
import { isRunnable } from './measured/is-runnable.ts';
import {
  channelFd,
  type Successor,
  firstPassedFd,
  type ToChild,
  type ToParent,
  type WatchLine,
  watchFd,
} from './messages.ts';
import { spawnChild, type SpawnOptions } from './spawn-child.ts';
import type { ClosedProcess, ProcessHandle, StartedProcess } from './started-process.ts';

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
  /** Of one message that it sends. */
  readonly messageBytesMax?: number;
  /** Called with what it sends, and with what it says when it is ready. If they throw, it has sent what it may not. */
  readonly onMessage?: (body: unknown) => void;
  readonly checkReady?: (value: unknown) => void;
  /** Called when one that has outlived it hangs, and ends. Without it, the process has no such relatives. */
  readonly onOrphanEnd?: (line: Exclude<WatchLine, { readonly kind: 'beat' }>) => void;
  /** Called when it is about to be ended for this reason: its connections still are. */
  readonly onKill?: (reason: EndReason) => void;
  /** Called for each socket that the process passes on to be held. Without it, the process cannot pass any. */
  readonly onHandle?: (name: string, handle: object) => void;
}

export type ChildProcessOptions =
  | (ChildWork & SpawnOptions & { readonly isWaiting?: boolean; readonly started?: never })
  | (ChildWork & { readonly started: StartedProcess });

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
  /** Undefined if there is no process. */
  readonly #channel: Socket | undefined;

  constructor(options: ChildProcessOptions) {
    this.#work = options;
    const { process: started, closed, adopted } = options.started ?? spawnChild(options);
    this.#process = started;
    this.#channel = adopted?.socket ?? (started.stdio?.[channelFd] as Socket | undefined);
    this.#output = new ChildOutput({ nameOf: () => this.name, logOf: () => this.#work.log });
    this.#ready.promise.catch(() => {});
    this.#listen();
    if (this.#channel !== undefined) this.#readMessages(this.#channel, adopted?.frames);
    void closed.then((end) => this.#end(end));
    if (options.started !== undefined || options.isWaiting !== true) this.begin(options);
  }

  /** Gives a process that waits its work; called once. */
  begin(work: ChildWork): void {
    this.#work = work;
    const { name, setup, stuckMs = stuckMsDefault, statementMs = 0, handles = [] } = work;
    const { startMsMax = startMsMaxDefault, successor, onHandle } = work;
    this.#startTimer = setTimeout(() => this.kill({ kind: 'not ready', ms: startMsMax }), startMsMax);
    for (const handle of handles) this.#process.send({ name: '' }, handle as SendHandle);
    const passing = { handles: handles.length, passesSockets: onHandle !== undefined };
    void this.#tell({ kind: 'start', name, setup, stuckMs, statementMs, successor, ...passing });
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

  #tell(message: ToChild): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    // Its end is reported by `ended`, so a message that it does not get needs no report of its own.
    if (this.#channel?.writable !== true) return Promise.resolve();
    writeFrame(this.#channel, message, () => resolve());
    return promise;
  }

  #listen(): void {
    const { stdout, stderr, stdio } = this.#process;
    if (stdout) this.#output.read(stdout, 'info');
    if (stderr) this.#output.read(stderr, 'warn');
    const beats = stdio?.[watchFd] as Socket | undefined;
    if (beats !== undefined) this.#readWatchdog(beats);
    this.#process.on('message', (message, handle: unknown) => this.#takeHandle(message, handle as object));
    // More than one: what is sent to a process that was not started is another.
    this.#process.on('error', (error) => {
      this.#cause ??= { kind: 'failed', name: error.name, message: error.message };
    });
  }

  #takeHandle(message: unknown, handle: object): void {
    const { onHandle } = this.#work;
    try {
      const { name } = readFields(message, 'a message with a socket');
      if (onHandle === undefined || handle === undefined) throw new ProtocolError('it may not pass sockets');
      onHandle(readText(name, 'the name of a socket', namedCharactersMax), handle);
    } catch (error) {
      this.#refuse(error);
    }
  }

  #readMessages(socket: Socket, frames: Frames | undefined): void {
    const { messageBytesMax = messageBytesMaxDefault } = this.#work;
    const splitter = frames ?? new Frames(messageBytesMax);
    const take = ({ message }: { readonly message: unknown }): void => this.#take(readSent(message));
    // oxlint-disable-next-line no-new -- it lives as long as the socket
    new Intake(socket, { splitter, take, onFault: (error) => this.#refuse(error) });
    socket.once('close', () => this.#expectEnd());
  }

  #take(message: ToParent): void {
    switch (message.kind) {
      case 'ready':
        if (this.#isReady) throw new ProtocolError('it was ready before');
        this.#work.checkReady?.(message.value);
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

  /** Ends it for what it has sent. */
  #refuse(error: unknown): void {
    const problem = (error as Error).message.slice(0, namedCharactersMax);
    const { name: process, pid } = this;
    this.#work.log.error('ending a process, because it broke the protocol', { process, pid, problem });
    this.kill({ kind: 'protocol', problem });
  }

  /** Nothing more can be heard of it, nor can it be asked to stop. */
  #expectEnd(): void {
    const timer = setTimeout(() => this.#refuse(new ProtocolError('its channel is closed')), closedChannelMs);
    void this.ended.then(() => clearTimeout(timer));
  }

  #readWatchdog(pipe: Socket): void {
    pipe.setEncoding('utf8');
    // oxlint-disable-next-line no-new -- it lives as long as the pipe
    new Intake(pipe, {
      splitter: new Lines(),
      take: (line: string) => this.#takeWatchLine(readWatchLine(line)),
      onFault: (error) => this.#refuse(error),
    });
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

  /** Of a process that has outlived its parent, and ends itself if it hangs. */
  #takeOrphanLine(line: WatchLine): void {
    const { onOrphanEnd } = this.#work;
    if (onOrphanEnd === undefined) throw new ProtocolError('it speaks for another process');
    if (line.kind !== 'beat') onOrphanEnd(line);
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
