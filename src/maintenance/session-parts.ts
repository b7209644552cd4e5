import { readFileSync } from 'node:fs';
import type { BackupPart, Runtime } from '#objects';

/** What requests are answered from. */
export interface SessionParts {
  readonly directory: string;
  readonly runtime: Runtime;
  /** What else keeps files in the directory. */
  readonly parts: readonly BackupPart[];
}

/** Who has the directory open, as the lock says. */
export function holderOf(directory: string): string {
  return readFileSync(`${directory}/lock.holder`, 'utf8');
}
