import { hash } from 'node:crypto';
import { join } from 'node:path';

/** The key of a table of sockets whose value is the folder for the sockets of all others. */
export const otherSockets = '*';

/** Names of Workers can be longer than what is left of the path of a socket, which has at most 107 bytes. */
export function workerSocketPath(folder: string, worker: string): string {
  return join(folder, `${hash('sha256', worker, 'hex').slice(0, 24)}.sock`);
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
