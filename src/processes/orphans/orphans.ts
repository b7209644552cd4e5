/**
 * Children that outlive their parent. A process below a watchdog can let its children go on when it ends: they serve with
 * what they have, and its successor takes them over. They connect to a socket of the file system at which it listens, and
 * are processes of its own from then on. Each has a copy of the pipe on which the beats of its first parent went to the
 * watchdog: over it the watchdog learns that one hangs, and they learn that the watchdog has ended, and end as well.
 *
 * ```ts
 * letChildrenOutlive();                                       // first of all, in a process below a watchdog
 * const orphans = await Orphans.listen('data/workers.sock');  // those of a predecessor connect
 * const adopted = await orphans.gather({ msMax: 5_000 });
 * ```
 */
import { EventEmitter, once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { keepAccepting } from '#base';
import type { ClosedProcess, StartedProcess } from '../child-process.ts';
import { endProcess } from '../end-process.ts';
import { Frames, writeFrame } from './frames.ts';
import { watchFd } from '../messages.ts';

/** The longest path of a socket, with the zero that ends it, is 108 bytes; less on some systems. */
const pathBytesMax = 100;

let isOutlived = false;

/** To be called before the first child is started, in a process whose watchdog reads its beats. */
export function letChildrenOutlive(): void {
  isOutlived = true;
}

/** What a child has to be passed so that it can outlive this process. */
export function listLifelines(): readonly number[] {
  return isOutlived ? [watchFd] : [];
}

/** What an orphan says of itself: its first message. */
export interface OrphanFacts {
  readonly pid: number;
  readonly name: string;
  /** Of its setup, as its parent said. */
  readonly setupDigest: string;
}

export interface Orphan extends Pick<OrphanFacts, 'name' | 'setupDigest'> {
  readonly started: StartedProcess;
}

export class Orphans {
  readonly #server: Server;
  readonly #path: string;
  readonly #waiting: Orphan[] = [];
  /** The children of the process before, alive or not. */
  readonly #predecessors: readonly number[];
  #onOrphan: (() => void) | undefined;

  private constructor(server: Server, path: string) {
    this.#server = server;
    this.#path = path;
    this.#predecessors = readPids(`${path}.pids`);
  }

  /** Undefined if children do not outlive this process, or the path is too long for a socket. */
  static async listen(path: string): Promise<Orphans | undefined> {
    if (!isOutlived || Buffer.byteLength(path) > pathBytesMax) return undefined;
    const server = createServer();
    const orphans = new Orphans(server, path);
    server.on('connection', (socket) => orphans.#greet(socket));
    rmSync(path, { force: true });
    await once(server.listen(path), 'listening');
    keepAccepting(server);
    server.unref();
    return orphans;
  }

  /** Where children connect when they are orphans. */
  get path(): string {
    return this.#path;
  }

  /** Notes the children of now, for a successor. */
  note(pids: readonly number[]): void {
    writeFileSync(`${this.#path}.pids`, pids.join('\n'), { mode: 0o600 });
  }

  /** Resolves to those that have come, when all that live have, or after a while. */
  async gather({ msMax }: { readonly msMax: number }): Promise<Orphan[]> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, msMax);
    const count = this.#predecessors.filter(isAlive).length;
    this.#onOrphan = () => {
      if (this.#waiting.length >= count) resolve();
    };
    this.#onOrphan();
    await promise;
    clearTimeout(timer);
    this.#onOrphan = undefined;
    return this.#waiting.splice(0);
  }

  /** Calls with each that comes from now on. */
  onLate(take: (orphan: Orphan) => void): void {
    this.#onOrphan = () => this.#waiting.splice(0).forEach(take);
    this.#onOrphan();
  }

  close(): void {
    this.#server.close();
  }

  #greet(messages: Socket): void {
    const events = new EventEmitter();
    let isKnown = false;
    // What it says waits for the process that takes it over.
    const early: unknown[] = [];
    events.once('newListener', () =>
      setImmediate(() => {
        for (const message of early.splice(0)) events.emit('message', message);
      }),
    );
    const frames = new Frames((message) => {
      if (isKnown && events.listenerCount('message') > 0 && early.length === 0)
        return void events.emit('message', message);
      if (isKnown) return void early.push(message);
      isKnown = true;
      const { pid, name, setupDigest } = message as OrphanFacts;
      this.#waiting.push({ name, setupDigest, started: adopt(pid, messages, events) });
      this.#onOrphan?.();
    });
    messages.on('error', () => {});
    messages.on('data', (piece: Buffer) => frames.add(piece));
  }
}

/** A process that this one has not started, as if it had. */
function adopt(pid: number, messages: Socket, events: EventEmitter): StartedProcess {
  const { promise: closed, resolve } = Promise.withResolvers<ClosedProcess>();
  messages.once('close', () => resolve({ error: new Error('its connection to the program was closed') }));
  return {
    closed,
    process: {
      pid,
      get connected() {
        return !messages.destroyed;
      },
      stdout: null,
      stderr: null,
      stdio: [],
      send: (message, _handle, onSent) => writeFrame(messages, message, onSent),
      kill: () => endProcess(pid),
      on: (event, listener) => void events.on(event, listener),
      once: (event, listener) => void events.once(event, listener),
    },
  };
}

function readPids(file: string): readonly number[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
