/** HTTP on a socket in a directory, for the user of the directory and root. */
import { rmSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { listenPrivately, type PrivateSocketPlace } from './private-socket.ts';

export type HttpAnswer = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/** Concurrent connections: of operators, not traffic. */
const connectionsMax = 64;

export class PrivateListener implements AsyncDisposable {
  readonly #server: Server;
  readonly #path: string;
  readonly #answers: ReadonlySet<Promise<void>>;

  private constructor(server: Server, path: string, answers: ReadonlySet<Promise<void>>) {
    this.#server = server;
    this.#path = path;
    this.#answers = answers;
  }

  /**
   * A request whose answer rejects is disconnected. If it cannot listen, it logs why, and the program runs without it.
   */
  static async start(
    place: PrivateSocketPlace,
    answer: HttpAnswer,
    warn: (message: string) => void,
  ): Promise<PrivateListener | undefined> {
    const answers = new Set<Promise<void>>();
    const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
      // Readers and writers also get the error.
      incoming.on('error', () => {});
      outgoing.on('error', () => {});
      const answered = answer(incoming, outgoing)
        .catch(() => void outgoing.destroy())
        .finally(() => answers.delete(answered));
      answers.add(answered);
    };
    // Not loaded by every program that loads this room: few of them listen.
    const { createServer } = await import('node:http');
    // Uploads may take longer than any limit; the reader aborts a silent client.
    const server = createServer({ requestTimeout: 0 }, onRequest);
    server.maxConnections = connectionsMax;
    const path = join(place.directory, place.name);
    try {
      await listenPrivately(server, place);
    } catch (error) {
      warn(
        `cannot listen on ${path}: gatehouse objects and gatehouse backup need the server to be stopped: ${String(error)}`,
      );
      return undefined;
    }
    // It does not keep the process alive: the program ends when its own work does.
    server.unref();
    return new PrivateListener(server, path, answers);
  }

  /** Disconnects all clients and waits until their requests have ended. */
  async close(): Promise<void> {
    rmSync(this.#path, { force: true });
    this.#server.close();
    this.#server.closeAllConnections();
    await Promise.all(this.#answers);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
