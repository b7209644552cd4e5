import { existsSync, readFileSync } from 'node:fs';

/** Who has the directory open, as the lock says. That of a host of a cluster is on what it needs while it runs. */
export function readHolder(directory: string): string {
  const places = [`${directory}/lock.holder`, `${directory}/scratch/lock.holder`];
  return readFileSync(places.find((place) => existsSync(place)) ?? places[0]!, 'utf8');
}
