/**
 * A child process, from its start to its end. Its parent knows when it is ready, that it is alive, and why it ended:
 *
 * - It is ready when its code reports so. One that is not ready in time is killed. A waiting process has only loaded
 *   its code, and gets its name and setup later, by `begin`.
 * - Its watchdog thread sends a heartbeat ten times a second. Without heartbeats, or when the watchdog reports that the
 *   event loop is blocked, the process is killed with SIGKILL: nothing else ends a loop in SQLite or in JavaScript.
 * - `stop` asks it to finish its work, and kills it if that takes too long, or if it does not react.
 * - Its output is in the log of its parent, under its name.
 * - Its messages are treated as untrusted: bounded, read in turns, and validated. An invalid one ends the child,
 *   without other consequences.
 */
import type { SendHandle } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Log } from '#base';
import { Lines } from '#streams';
import { Frames, writeFrame } from './channel/frames.ts';
import { Intake } from './channel/intake.ts';
import { ProtocolError } from './channel/protocol-error.ts';
import { readFields, readSent, readText, readWatchLine } from './channel/read-sent.ts';
import { ChildOutput } from './child-output.ts';
import { describeEnd, type EndReason } from './end-reason.ts';
import {
  beatMs,
  closedChannelMs,
  lineCharactersMax,
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

/** The work of a process, and its limits. */
export interface ChildWork {
  /** Its name in the log: `edge worker 1`. */
  readonly name: string;
  /** Passed to the module; any cloneable value. */
  readonly setup: unknown;
  /** Bound sockets that it also gets, as Node's internal handles. */
  readonly handles?: readonly object[];
  readonly log: Log;
  /** CPU time that one turn of its event loop may take. */
  readonly stuckMs?: number;
  /** CPU time that a statement of SQL may take, as reported to `noteStatement`; unlimited by default. */
  readonly statementMs?: number;
  /** How long its watchdog may be silent: longer for a process whose end costs more than a short pause of it. */
  readonly silentMs?: number;
  /** The limit of its total memory. */
  readonly residentBytesMax?: number;
  /** How long its start may take: longer for a process that may have to read a lot of data first. */
  readonly startMsMax?: number;
  /** Where a successor of this process will listen (`Orphans`), if the child may outlive it. */
  readonly successor?: Successor | undefined;
  /** The limit of one message that it sends. */
  readonly messageBytesMax?: number;
  /** Called with its messages, and with its value when it is ready. If they throw, the message was invalid. */
  readonly onMessage?: (body: unknown) => void;
  readonly checkReady?: (value: unknown) => void;
  /** Called when a process that has outlived it hangs, and ends. Without it, the process has no such orphans. */
  readonly onOrphanEnd?: (line: Exclude<WatchLine, { readonly kind: 'beat' }>) => void;
  /** Called when it is about to be killed for this reason: its connections still exist. */
  readonly onKill?: (reason: EndReason) => void;
  /** Called for each socket that the process passes on to be kept. Without it, the process cannot pass any. */
  readonly onHandle?: (name: string, handle: object) => void;
}

export type ChildProcessOptions =
  | (ChildWork & SpawnOptions & { readonly isWaiting?: boolean; readonly started?: never })
  | (ChildWork & { readonly started: StartedProcess });

/** A process ended before it was ready. */
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
  /** Why it is being ended, if this process does that. */
  #cause: EndReason | undefined;
  #isReady = false;
  #hasNoticedStop = false;
  #residentBytes = 0;
  /** The time since its watchdog's last message. */
  #quietMs = 0;
  #watch: NodeJS.Timeout | undefined;
  #startTimer: NodeJS.Timeout | undefined;
  #work: ChildWork;
  /** Undefined if the process could not be started. */
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

  /** Assigns work to a waiting process; called once. */
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

  /** As last reported by its watchdog. */
  get residentBytes(): number {
    return this.#residentBytes;
  }

  /** Resolves to the value that its code reports when it is ready; rejects with a `ChildEndedError`. */
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

  /** Asks it to stop, and kills it after the grace period. */
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

  /** Kills it at once, for the reason. */
  kill(reason: EndReason): void {
    if (this.#cause === undefined || this.#cause.kind === 'stopped') {
      this.#cause = reason;
      this.#work.onKill?.(reason);
    }
    this.#process.kill('SIGKILL');
  }

  #endAtStop(): void {
    const { name: process, pid } = this;
    this.#work.log.warn('a process did not stop on request; ending it', { process, pid });
    this.#process.kill('SIGKILL');
  }

  #tell(message: ToChild): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    // `ended` reports its end, so a message that it does not receive needs no error of its own.
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
    // There may be several: another one for each message to a process that was not started.
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

  /** Kills it because of an invalid message. */
  #refuse(error: unknown): void {
    const problem = (error as Error).message.slice(0, namedCharactersMax);
    const { name: process, pid } = this;
    this.#work.log.error('ending a process, because it broke the protocol', { process, pid, problem });
    this.kill({ kind: 'protocol', problem });
  }

  /** It can send nothing more, and cannot be asked to stop. */
  #expectEnd(): void {
    const timer = setTimeout(() => this.#refuse(new ProtocolError('its channel is closed')), closedChannelMs);
    void this.ended.then(() => clearTimeout(timer));
  }

  #readWatchdog(pipe: Socket): void {
    pipe.setEncoding('utf8');
    // oxlint-disable-next-line no-new -- it lives as long as the pipe
    new Intake(pipe, {
      splitter: new Lines(lineCharactersMax),
      take: (line: string) => this.#takeWatchLine(readWatchLine(line)),
      onFault: (error) => this.#refuse(error),
    });
    // Children that outlive the process also have the pipe: it must not keep this process alive.
    void this.ended.then(() => pipe.unref());
  }

  #takeWatchLine(line: WatchLine): void {
    if (line.orphan !== undefined) return this.#takeOrphanLine(line);
    this.#quietMs = 0;
    // A waiting process is not watched.
    if (this.#startTimer !== undefined) this.#expectBeats();
    if (line.kind !== 'beat') return this.kill(line);
    if (line.residentBytes !== undefined) this.#takeResidentBytes(line.residentBytes);
  }

  /** From a process that has outlived its parent, and kills itself if it hangs. */
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
    // A process that may be silent for long is checked less often.
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
