import { readFileSync } from 'node:fs';
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

/** Who has the directory open, as the lock says. */
export function holderOf(directory: string): string {
  return readFileSync(`${directory}/lock.holder`, 'utf8');
}
