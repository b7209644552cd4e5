/** A data directory from outside: through the process that has it open, or by opening it. */
import type { Socket } from 'node:net';
import { duplexPair } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { openRecorded } from '#hosts';
import { DirectoryLockedError, type ObjectRuntime, type OnProgress, type Progress } from '#objects';
import { Channel, type Piece } from './channel.ts';
import { MaintenanceError } from './error.ts';
import { connectRetryMs, connectTries, protocolVersion, socketName } from './limits.ts';
import { connectPrivately } from './private-socket.ts';
import type { MaintenanceRequest, Row } from './request.ts';
import { serveSession } from './session.ts';
import { holderOf } from './session-parts.ts';

export interface AccessOptions {
  readonly directory: string;
  /**
   * Without a process that has the directory open: `look` opens it although older files of the log are damaged or
   * missing, to save what is left.
   */
  readonly mode: 'look' | 'change';
  readonly onProgress?: OnProgress;
}

/** What the other side says, besides progress. */
export type Answer =
  | { readonly row: Row }
  | { readonly file: SentFile }
  | { readonly backup: { readonly position: number; readonly bytes: number } }
  | { readonly value: { readonly key: string; readonly bytes: number } }
  | { readonly ready: true }
  | { readonly piece: Piece };

export interface SentFile {
  readonly path?: string;
  readonly bytes: number;
  readonly length?: number;
  readonly stamp?: string;
  readonly bookmark?: string;
}

type Message =
  | Answer
  | { readonly progress: Progress }
  | { readonly done: true }
  | { readonly error: Failure };

interface Failure {
  readonly message: string;
  readonly code: string;
}

/** Through the process that has the directory open; undefined if there is none. */
export async function openLiveAccess(options: Omit<AccessOptions, 'mode'>): Promise<Access | undefined> {
  const socket = await connectTo(options.directory);
  socket?.destroy();
  return socket === undefined ? undefined : new Access({ ...options, mode: 'change' }, undefined);
}

export async function openAccess(options: AccessOptions): Promise<Access> {
  const { directory, mode } = options;
  for (let tries = 1; ; tries++) {
    const live = await openLiveAccess(options);
    if (live !== undefined) return live;
    try {
      const runtime = await openRecorded({ directory, salvage: mode === 'look' });
      return new Access(options, runtime);
    } catch (error) {
      if (!(error instanceof DirectoryLockedError) || tries === connectTries) throw error;
      await delay(connectRetryMs);
    }
  }
}

export class Access implements AsyncDisposable {
  readonly #options: AccessOptions;
  readonly #runtime: ObjectRuntime | undefined;

  /** @internal */
  constructor(options: AccessOptions, runtime: ObjectRuntime | undefined) {
    this.#options = options;
    this.#runtime = runtime;
  }

  get directory(): string {
    return this.#options.directory;
  }

  /** Asks for something and hands out what comes back, with the channel, for answers to questions in between. */
  async *ask(request: MaintenanceRequest): AsyncGenerator<Answer & { readonly channel: Channel }> {
    using channel = await this.#open();
    await channel.send(request);
    for (;;) {
      const frame = await channel.receive();
      if (frame === undefined) {
        throw new MaintenanceError(
          'the server closed the connection before the work was done: it may have been stopped',
        );
      }
      if ('piece' in frame) {
        yield { piece: frame.piece, channel };
        continue;
      }
      const message = frame.message as Message;
      if ('done' in message) return;
      if ('error' in message) throw new MaintenanceError(message.error.message, { code: message.error.code });
      if ('progress' in message) this.#options.onProgress?.(message.progress);
      else yield { ...message, channel };
    }
  }

  /** The rows of the answer. */
  async *rows(request: MaintenanceRequest): AsyncGenerator<Row> {
    for await (const answer of this.ask(request)) if ('row' in answer) yield answer.row;
  }

  /** Whether another process has the directory open and answers. */
  get isLive(): boolean {
    return this.#runtime === undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#runtime?.close();
  }

  async #open(): Promise<Channel> {
    const { directory } = this.#options;
    if (this.#runtime !== undefined) {
      const [near, far] = duplexPair();
      const session = new Channel(far);
      // What fails is told over the channel.
      void serveSession(session, { directory, runtime: this.#runtime, parts: [], onChanged: async () => {} })
        .catch(() => {})
        .finally(() => session.end());
      return await greet(new Channel(near), directory);
    }
    const socket = await connectTo(directory);
    if (socket === undefined)
      throw new MaintenanceError(`the server on ${directory} does not answer any more`);
    return await greet(new Channel(socket), directory);
  }
}

/** Makes sure that whoever answers has the directory open. */
async function greet(channel: Channel, directory: string): Promise<Channel> {
  const frame = await channel.receive();
  if (frame === undefined) {
    channel[Symbol.dispose]();
    throw new MaintenanceError(`the server on ${directory} takes no more clients: try again in a moment`);
  }
  const hello = ('message' in frame ? frame.message : {}) as Readonly<Record<string, unknown>>;
  if (hello['gatehouse'] !== protocolVersion) {
    channel[Symbol.dispose]();
    throw new MaintenanceError(
      `the server on ${directory} is of another version: use the gatehouse command that it was started with, or stop it`,
    );
  }
  if (hello['holder'] === holderOf(directory)) return channel;
  channel[Symbol.dispose]();
  throw new MaintenanceError(
    `whoever listens on ${directory}/${socketName} does not have the directory open`,
  );
}

/** Undefined if nobody listens. */
async function connectTo(directory: string): Promise<Socket | undefined> {
  try {
    return await connectPrivately({ directory, name: socketName });
  } catch (error) {
    throw new MaintenanceError(
      `cannot connect to the server on ${directory}: ${(error as Error).message}; run this as the user of the server`,
      { cause: error },
    );
  }
}
