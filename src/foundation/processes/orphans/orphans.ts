/**
 * Child processes that outlive their parent. A process below a watchdog can let its children continue when it ends:
 * they keep serving, and its successor adopts them. They connect to a Unix domain socket on which the successor
 * listens, and are its child processes from then on. Each has a copy of the pipe on which its first parent sent
 * heartbeats to the watchdog: through it the watchdog learns that one hangs, for its log, and they learn that the
 * watchdog has ended, and end as well. One that hangs is killed by its own watchdog thread. Only processes that the
 * predecessor has recorded are adopted.
 *
 * ```ts
 * letChildrenOutlive();                                       // first of all, in a process below a watchdog
 * const orphans = await Orphans.listen('data/workers.sock');  // those of a predecessor connect
 * const adopted = await orphans.gather({ msMax: 5_000 });
 * ```
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { isAlive } from '#base';
import { beginListening } from '#listeners';
import type { ClosedProcess, StartedProcess } from '../started-process.ts';
import { Frames } from '../channel/frames.ts';
import { ProtocolError } from '../channel/protocol-error.ts';
import { readAmount, readFields, readText } from '../channel/read-sent.ts';
import { messageBytesMaxDefault, namedCharactersMax } from '../limits.ts';
import { watchFd } from '../messages.ts';

/** The longest path of a socket, including its terminating zero, is 108 bytes; less on some systems. */
const pathBytesMax = 100;

let isOutlived = false;

/** Called before the first child is started, in a process whose watchdog reads its heartbeats. */
export function letChildrenOutlive(): void {
  isOutlived = true;
}

/** The descriptors that a child needs so that it can outlive this process. */
export function listLifelines(): readonly number[] {
  return isOutlived ? [watchFd] : [];
}

/** An orphan's description of itself: its first message. */
export interface OrphanFacts {
  readonly pid: number;
  readonly name: string;
  /** The digest of its setup, as its parent sent it. */
  readonly setupDigest: string;
}

export interface Orphan extends Pick<OrphanFacts, 'name' | 'setupDigest'> {
  readonly started: StartedProcess;
}

export class Orphans {
  readonly #server: Server;
  readonly #path: string;
  readonly #waiting: Orphan[] = [];
  /** The children of the previous process, alive or not; and those of them that have not connected. */
  readonly #predecessors: readonly number[];
  readonly #missing: Set<number>;
  #onOrphan: (() => void) | undefined;

  private constructor(server: Server, path: string) {
    this.#server = server;
    this.#path = path;
    this.#predecessors = readPids(`${path}.pids`);
    this.#missing = new Set(this.#predecessors);
  }

  /** Undefined if children do not outlive this process, or the path is too long for a socket. */
  static async listen(path: string): Promise<Orphans | undefined> {
    if (!isOutlived || Buffer.byteLength(path) > pathBytesMax) return undefined;
    const server = createServer();
    const orphans = new Orphans(server, path);
    server.on('connection', (socket) => orphans.#greet(socket));
    rmSync(path, { force: true });
    await beginListening(server, { path });
    server.unref();
    return orphans;
  }

  /** Where children connect when they are orphans. */
  get path(): string {
    return this.#path;
  }

  /** Records the current children, for a successor. */
  note(pids: readonly number[]): void {
    writeFileSync(`${this.#path}.pids`, pids.join('\n'), { mode: 0o600 });
  }

  /** Resolves to the orphans that have connected, when all that are alive have, or after a time limit. */
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

  /** Calls `take` with each orphan that connects from now on. */
  onLate(take: (orphan: Orphan) => void): void {
    this.#onOrphan = () => this.#waiting.splice(0).forEach(take);
    this.#onOrphan();
  }

  close(): void {
    this.#server.close();
  }

  /** A client is a child of the previous process if that has recorded its id; each is accepted only once. */
  #greet(socket: Socket): void {
    const frames = new Frames(messageBytesMaxDefault);
    socket.on('error', () => {});
    const greeted = (piece: Buffer): void => {
      frames.add(piece);
      try {
        const first = frames.next();
        if (first === undefined) return;
        const { pid, name, setupDigest } = readFacts(first.message);
        if (!this.#missing.delete(pid))
          throw new ProtocolError(`process ${pid} is not a child of this program`);
        // Later messages wait for the code that adopts the process.
        socket.pause();
        socket.off('data', greeted);
        this.#waiting.push({ name, setupDigest, started: adopt(pid, socket, frames) });
        this.#onOrphan?.();
      } catch {
        socket.destroy();
      }
    };
    socket.on('data', greeted);
  }
}

function readFacts(message: unknown): OrphanFacts {
  const { pid, name, setupDigest } = readFields(message, 'the first message');
  return {
    pid: readAmount(pid, 'the id of a process'),
    name: readText(name, 'the name of a process', namedCharactersMax),
    setupDigest: readText(setupDigest, 'the digest of a setup', namedCharactersMax),
  };
}

/** Represents a process that this one has not started like one that it has. */
function adopt(pid: number, socket: Socket, frames: Frames): StartedProcess {
  const { promise: closed, resolve } = Promise.withResolvers<ClosedProcess>();
  socket.once('close', () => resolve({ error: new Error('its connection to the program was closed') }));
  return {
    closed,
    adopted: { socket, frames },
    process: {
      pid,
      stdout: null,
      stderr: null,
      stdio: [],
      // It already has its handles.
      send() {},
      kill: () => endProcess(pid),
      on() {},
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

/** Kills a process by its id. Returns whether it existed. */
function endProcess(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}
