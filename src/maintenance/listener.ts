/**
 * The socket of a process that has a data directory open. It is made under a name in a folder that nobody else can
 * enter, gets mode 0600, and only then its own name, so that there is no moment at which others can connect.
 */
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { BackupPart, ObjectRuntime } from '#objects';
import { Channel } from './channel.ts';
import { clientsMax, socketName } from './limits.ts';
import { serveSession } from './session.ts';
import type { OnReplaced } from './session-parts.ts';

const folderPrefix = '.maintenance-';

export interface ListenerOptions {
  readonly directory: string;
  readonly runtime: ObjectRuntime;
  /** What else keeps files in the directory and knows how they can be copied while in use. */
  readonly parts?: readonly BackupPart[];
  /** By default nobody keeps anything of an object in memory. */
  readonly onReplaced?: OnReplaced;
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
      await listenPrivately(server, directory, path);
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
  const { directory, runtime, parts = [], onReplaced = async () => {}, log } = options;
  using channel = new Channel(socket);
  try {
    await serveSession(channel, { directory, runtime, parts, onReplaced });
  } catch (error) {
    if (!socket.destroyed) log('a maintenance request failed', error);
  }
}

async function listenPrivately(server: Server, directory: string, path: string): Promise<void> {
  // A process that was killed may have left its own.
  for (const name of readdirSync(directory)) {
    if (name.startsWith(folderPrefix)) rmSync(join(directory, name), { recursive: true, force: true });
  }
  const folder = mkdtempSync(join(directory, folderPrefix));
  const descriptor = openSync(folder, 'r');
  try {
    // The path of a socket has at most 107 bytes. This one is short wherever the directory is.
    const short = `/proc/self/fd/${descriptor}`;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once('error', reject);
    server.listen(existsSync(short) ? `${short}/s` : join(folder, 's'), resolve);
    await promise;
    server.off('error', reject);
    chmodSync(join(folder, 's'), 0o600);
    renameSync(join(folder, 's'), path);
  } finally {
    closeSync(descriptor);
    rmSync(folder, { recursive: true, force: true });
  }
}
