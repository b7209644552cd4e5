import { hash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The key of a table of sockets whose value is the folder for the sockets of all others. */
export const otherSockets = '*';

/** Names of Workers can be longer than what is left of the path of a socket, which has at most 107 bytes. */
export function workerSocketPath(folder: string, worker: string): string {
  return join(folder, `${hash('sha256', worker, 'hex').slice(0, 24)}.sock`);
}

/** Where the other Workers of the account reach it. */
export function neighbourSocketPath(folder: string, worker: string): string {
  return workerSocketPath(folder, `calls:${worker}`);
}

/** What the sockets begin with by which edges take requests of Workers; the id of their process follows. */
const edgeMark = 'edge-';
const edgeName = /^edge-(\d+)\.sock$/;

/** Where the edge of this process takes requests of Workers to the origins of zones. */
export function edgeSocketPath(folder: string): string {
  return join(folder, `${edgeMark}${process.pid}.sock`);
}

/** Whether a file of the folder is the socket of an edge whose process lives. */
export function isLiveEdgeSocket(name: string): boolean {
  const pid = edgeName.exec(name)?.[1];
  if (pid === undefined) return false;
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
}

/** The socket of an edge that takes requests of Workers; undefined if there is none. */
export function findEdgeSocket(folder: string): string | undefined {
  const names = readdirSync(folder).filter(isLiveEdgeSocket);
  const name = names[Math.floor(Math.random() * names.length)];
  return name === undefined ? undefined : join(folder, name);
}

/** Where a Worker is reached: by its name in the table, or in the folder that the table has for all others. */
export function findWorkerSocket(
  sockets: Readonly<Record<string, string>>,
  worker: string,
): string | undefined {
  if (Object.hasOwn(sockets, worker)) return sockets[worker];
  const folder = sockets[otherSockets];
  return folder === undefined ? undefined : workerSocketPath(folder, worker);
}
