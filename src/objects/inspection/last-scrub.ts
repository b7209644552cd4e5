/** When a directory was last scrubbed to its end, in a file of its own: a monitor need not open it. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface LastScrub {
  readonly finishedAtMs: number;
  /** How many problems it found. */
  readonly problems: number;
}

const fileName = 'last-scrub.json';

/** A reader finds the old result or the new one. */
export function writeLastScrub(directory: string, scrub: LastScrub): void {
  const file = join(directory, fileName);
  writeFileSync(`${file}.tmp`, `${JSON.stringify(scrub)}\n`, { mode: 0o600 });
  renameSync(`${file}.tmp`, file);
}

/** Undefined if the directory was never scrubbed, or the file cannot be read. */
export function readLastScrub(directory: string): LastScrub | undefined {
  try {
    const { finishedAtMs, problems } = JSON.parse(
      readFileSync(join(directory, fileName), 'utf8'),
    ) as LastScrub;
    return Number.isFinite(finishedAtMs) && Number.isFinite(problems)
      ? { finishedAtMs, problems }
      : undefined;
  } catch {
    return undefined;
  }
}
