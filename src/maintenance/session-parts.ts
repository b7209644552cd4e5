import { existsSync, readFileSync } from 'node:fs';
import type { BackupPart, DurableObjectId, ObjectRuntime } from '#objects';

/** What requests are answered from. */
export interface SessionParts {
  readonly directory: string;
  readonly runtime: ObjectRuntime;
  /** What else keeps files in the directory. */
  readonly parts: readonly BackupPart[];
  readonly onChanged: OnChanged;
}

/**
 * Called when an object may have another state because a client wanted it: it was put back, has another database, or a value
 * was written. Whoever keeps some of it in memory reads it again. The client is told when this has resolved.
 */
export type OnChanged = (className: string, id: DurableObjectId) => Promise<void>;

/** Who has the directory open, as the lock says. That of a host of a cluster is on what it needs while it runs. */
export function holderOf(directory: string): string {
  const places = [`${directory}/lock.holder`, `${directory}/scratch/lock.holder`];
  return readFileSync(places.find((place) => existsSync(place)) ?? places[0]!, 'utf8');
}
