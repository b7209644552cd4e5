/**
 * Workers that come back. A program that has ended takes the processes of its Workers along, and its successor starts them
 * again; edges that have outlived it wait for them. The program notes in the folder of the sockets when it has started all
 * that there are: from then on, what has no socket there does not run.
 */
import { connect } from 'node:net';
import { join } from 'node:path';
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isOwnerAlive, readOwner } from './owned-folder.ts';
import { readIfThere, writePrivateFile } from './private-file.ts';

const noteName = 'started';

/** How long a request waits, and how often it is looked whether the Worker is there. */
export const workerWaitMsMax = 30_000;
const lookMs = 50;

export function noteWorkersStarted(folder: string): void {
  writePrivateFile(join(folder, noteName), readOwner(folder) ?? '');
}

export function forgetWorkersStarted(folder: string): void {
  rmSync(join(folder, noteName), { force: true });
}

/** After a moment: the Workers of a program that is killed may end before it has ended. */
export async function areWorkersComing(folder: string): Promise<boolean> {
  await delay(lookMs);
  return areStarting(folder);
}

function areStarting(folder: string): boolean {
  const owner = readOwner(folder);
  // While it is taken over, it has none.
  return owner === undefined || !isOwnerAlive(owner) || readIfThere(join(folder, noteName)) !== owner;
}

/** One look for all requests that wait for the same socket. */
const awaited = new Map<string, Promise<boolean>>();

/** Resolves to whether a socket of the folder accepts connections: at once if it will not, or when it does. */
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
    // Before the attempt: it may have come, and been the last, in between.
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
