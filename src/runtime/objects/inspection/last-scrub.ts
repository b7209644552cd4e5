/** When a directory was last scrubbed completely, in a file of its own: a monitor need not open the directory. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '#files';

export interface LastScrub {
  readonly finishedAtMs: number;
  /** How many problems were found. */
  readonly problems: number;
}

const fileName = 'last-scrub.json';

/** A reader finds the old result or the new one, even after a power cut. */
export function writeLastScrub(directory: string, scrub: LastScrub): void {
  writePrivateFile(join(directory, fileName), `${JSON.stringify(scrub)}\n`);
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
