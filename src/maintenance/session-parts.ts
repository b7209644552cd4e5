import { readFileSync } from 'node:fs';
import type { BackupPart, DurableObjectId, ObjectRuntime } from '#objects';

/** What requests are answered from. */
export interface SessionParts {
  readonly directory: string;
  readonly runtime: ObjectRuntime;
  /** What else keeps files in the directory. */
  readonly parts: readonly BackupPart[];
  readonly onReplaced: OnReplaced;
}

/**
 * Called when an object was put back to another state, or has another database: whoever keeps some of it in memory reads it
 * again. The client is told that its request is done when this has resolved.
 */
export type OnReplaced = (className: string, id: DurableObjectId) => Promise<void>;

/** Who has the directory open, as the lock says. */
export function holderOf(directory: string): string {
  return readFileSync(`${directory}/lock.holder`, 'utf8');
}
