import { existsSync, readFileSync } from 'node:fs';

/**
 * The process that has the directory open, according to the lock. For a host of a cluster, the lock is on its temporary
 * files.
 */
export function readHolder(directory: string): string {
  const places = [`${directory}/lock.holder`, `${directory}/scratch/lock.holder`];
  return readFileSync(places.find((place) => existsSync(place)) ?? places[0]!, 'utf8');
}
