/** The socket of a process that has a data directory open. */
import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { BackupPart, ObjectRuntime } from '#objects';
import { Channel } from './channel.ts';
import { clientsMax, socketName } from './limits.ts';
import { listenPrivately } from './private-socket.ts';
import { serveSession } from './session.ts';
import type { OnChanged } from './session-parts.ts';

export interface ListenerOptions {
  readonly directory: string;
  readonly runtime: ObjectRuntime;
  /** What else keeps files in the directory and knows how they can be copied while in use. */
  readonly parts?: readonly BackupPart[];
  /** By default nobody keeps anything of an object in memory. */
  readonly onChanged?: OnChanged;
  readonly log: (message: string, error?: unknown) => void;
}

export class MaintenanceListener implements AsyncDisposable {
  readonly #server: Server;
  readonly #path: string;
  readonly #sessions: Set<Promise<void>>;
  readonly #sockets: Set<Socket>;

  private constructor(
    server: Server,
    path: string,
    open: { sessions: Set<Promise<void>>; sockets: Set<Socket> },
  ) {
    this.#server = server;
    this.#path = path;
    this.#sessions = open.sessions;
    this.#sockets = open.sockets;
  }

  /** Where it cannot listen, the reason is logged, and the program runs without it. */
  static async start(options: ListenerOptions): Promise<MaintenanceListener | undefined> {
    const { directory, log } = options;
    const sessions = new Set<Promise<void>>();
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      const session = serve(socket, options).finally(() => sessions.delete(session));
      sessions.add(session);
    });
    server.maxConnections = clientsMax;
    const path = join(directory, socketName);
    try {
      await listenPrivately(server, { directory, name: socketName });
    } catch (error) {
      log(
        `cannot listen on ${path}: gatehouse objects and gatehouse backup need the server to be stopped`,
        error,
      );
      return undefined;
    }
    // Nobody waits for it: the program ends when its own work does.
    server.unref();
    return new MaintenanceListener(server, path, { sessions, sockets });
  }

  /** Cuts off who is connected and waits until their work has ended. */
  async close(): Promise<void> {
    rmSync(this.#path, { force: true });
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(this.#sessions);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

async function serve(socket: Socket, options: ListenerOptions): Promise<void> {
  const { directory, runtime, parts = [], onChanged = async () => {}, log } = options;
  using channel = new Channel(socket);
  try {
    await serveSession(channel, { directory, runtime, parts, onChanged });
  } catch (error) {
    if (!socket.destroyed) log('a maintenance request failed', error);
  }
}
