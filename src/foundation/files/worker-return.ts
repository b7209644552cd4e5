/**
 * Workers that are restarting. When a program ends, so do the processes of its Workers, and its successor starts them
 * again; edges that have outlived the program wait for them. The program records in the folder of the sockets when it
 * has started all Workers: from then on, a Worker without a socket there is not running.
 */
import { connect } from 'node:net';
import { join } from 'node:path';
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isOwnerAlive, readOwner } from './owned-folder.ts';
import { readIfThere, writePrivateFile } from './private-file.ts';

const noteName = 'started';

/** How long a request waits, and how often the Worker's socket is tried. */
export const workerWaitMsMax = 30_000;
const lookMs = 50;

export function noteWorkersStarted(folder: string): void {
  writePrivateFile(join(folder, noteName), readOwner(folder) ?? '');
}

export function forgetWorkersStarted(folder: string): void {
  rmSync(join(folder, noteName), { force: true });
}

/** Checks after a moment: the Workers of a killed program may end before the program does. */
export async function areWorkersComing(folder: string): Promise<boolean> {
  await delay(lookMs);
  return areStarting(folder);
}

function areStarting(folder: string): boolean {
  const owner = readOwner(folder);
  // While the folder is taken over, it has no owner.
  return owner === undefined || !isOwnerAlive(owner) || readIfThere(join(folder, noteName)) !== owner;
}

/** One check for all requests that wait for the same socket. */
const awaited = new Map<string, Promise<boolean>>();

/** Resolves to whether a socket of the folder accepts connections: as soon as it does, or when it will not. */
export function awaitWorker(folder: string, path: string): Promise<boolean> {
  let waiting = awaited.get(path);
  if (waiting === undefined) {
    waiting = look(folder, path).finally(() => awaited.delete(path));
    awaited.set(path, waiting);
  }
  return waiting;
}

async function look(folder: string, path: string): Promise<boolean> {
  for (const endMs = performance.now() + workerWaitMsMax; performance.now() < endMs;) {
    // Before the attempt: the Worker may have started as the last one in between.
    const isComing = areStarting(folder);
    if (await canConnect(path)) return true;
    if (!isComing && !(await areWorkersComing(folder))) return await canConnect(path);
    await delay(lookMs);
  }
  return false;
}

function canConnect(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ path });
  socket.once('connect', () => resolve(true));
  socket.once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}
