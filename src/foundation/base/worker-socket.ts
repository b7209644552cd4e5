import { hash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from './is-alive.ts';

/** The key in a table of sockets whose value is the folder for the sockets of all other Workers. */
export const otherSockets = '*';

/** Hashed: the name of a Worker can exceed the rest of a socket's path, which has at most 107 bytes. */
export function workerSocketPath(folder: string, worker: string): string {
  return join(folder, `${hash('sha256', worker, 'hex').slice(0, 24)}.sock`);
}

/** Where the other Workers of the account reach it. */
export function neighbourSocketPath(folder: string, worker: string): string {
  return workerSocketPath(folder, `calls:${worker}`);
}

/** The prefix of the sockets at which edges accept requests of Workers; the id of their process follows. */
const edgeMark = 'edge-';
const edgeName = /^edge-(\d+)\.sock$/;

/** Where the edge of this process accepts requests of Workers to the origins of zones. */
export function edgeSocketPath(folder: string): string {
  return join(folder, `${edgeMark}${process.pid}.sock`);
}

/** Whether a file of the folder is the socket of an edge whose process is alive. */
export function isLiveEdgeSocket(name: string): boolean {
  const pid = edgeName.exec(name)?.[1];
  return pid !== undefined && isAlive(Number(pid));
}

/** The socket of an edge that accepts requests of Workers; undefined if there is none. */
export function findEdgeSocket(folder: string): string | undefined {
  const names = readdirSync(folder).filter(isLiveEdgeSocket);
  const name = names[Math.floor(Math.random() * names.length)];
  return name === undefined ? undefined : join(folder, name);
}

/** The socket of a Worker: by its name in the table, or in the folder that the table has for all others. */
export function findWorkerSocket(
  sockets: Readonly<Record<string, string>>,
  worker: string,
): string | undefined {
  if (Object.hasOwn(sockets, worker)) return sockets[worker];
  const folder = sockets[otherSockets];
  return folder === undefined ? undefined : workerSocketPath(folder, worker);
}
