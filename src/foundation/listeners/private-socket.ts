/**
 * Sockets in a directory that only its user and root can open. A socket is created in a folder that no other user can
 * enter, gets mode 0600, and only then its final name, so that other users can never connect.
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
import { connect, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { startOwn } from '#work';
import { keepAccepting } from './keep-accepting.ts';

/** Socket names in the data directory of a running program. */
export const socketNames = {
  /** For operators. */
  operator: 'operator.sock',
  /** Of the process of a Worker, to which the supervising program forwards operators' requests about objects. */
  worker: 'worker.sock',
} as const;

export interface PrivateSocketPlace {
  readonly directory: string;
  readonly name: string;
}

export async function listenPrivately(
  server: Server,
  { directory, name }: PrivateSocketPlace,
): Promise<void> {
  const prefix = `.${name.replace(/\.sock$/, '')}-`;
  // A process that was killed may have left its own.
  for (const each of readdirSync(directory)) {
    if (each.startsWith(prefix)) rmSync(join(directory, each), { recursive: true, force: true });
  }
  const folder = mkdtempSync(join(directory, prefix));
  const descriptor = openSync(folder, 'r');
  try {
    // The path of a socket has at most 107 bytes. This one is short for any directory.
    const short = `/proc/self/fd/${descriptor}`;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once('error', reject);
    startOwn(() => server.listen(canUse(short) ? `${short}/s` : join(folder, 's'), resolve));
    await promise;
    server.off('error', reject);
    keepAccepting(server);
    chmodSync(join(folder, 's'), 0o600);
    renameSync(join(folder, 's'), join(directory, name));
  } finally {
    closeSync(descriptor);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A confined process cannot check. */
function canUse(short: string): boolean {
  try {
    return existsSync(short);
  } catch {
    return process.platform === 'linux';
  }
}

/** Undefined if no process listens. */
export async function connectPrivately({ directory, name }: PrivateSocketPlace): Promise<Socket | undefined> {
  if (!existsSync(join(directory, name))) return undefined;
  const descriptor = openSync(directory, 'r');
  try {
    const short = `/proc/self/fd/${descriptor}`;
    const socket = connect(`${canUse(short) ? short : directory}/${name}`);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    socket.once('connect', resolve);
    socket.once('error', reject);
    await promise;
    socket.off('error', reject);
    return socket;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Left by a process that was killed, or removed meanwhile.
    if (code === 'ECONNREFUSED' || code === 'ENOENT') return undefined;
    throw error;
  } finally {
    closeSync(descriptor);
  }
}
