/**
 * A power cut on a file system that guarantees nothing but its syncs: each name that was created or moved, and whose
 * folder was not synced afterwards, is removed. The old name of a moved file does not reappear, and contents stay
 * unchanged.
 */
import { readFileSync, rmSync } from 'node:fs';
import { dirname, sep } from 'node:path';

/** The names of `record-names.ts` that a power cut may take, below a directory; the ones inside of such a name are left out. */
function listUnsynced(file: string, directory: string): string[] {
  const unsynced = new Set<string>();
  const syncing = new Map<string, readonly string[]>();
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    const [kind, first, second] = JSON.parse(line) as [string, string, string?];
    if (kind === 'made') unsynced.add(first);
    else if (kind === 'renamed') {
      unsynced.delete(first);
      unsynced.add(second!);
    } else if (kind === 'syncing')
      syncing.set(
        first,
        [...unsynced].filter((path) => dirname(path) === second),
      );
    else for (const path of syncing.get(first) ?? []) unsynced.delete(path);
  }
  const below = [...unsynced].filter((path) => path.startsWith(directory + sep));
  return below.filter((path) => !below.some((other) => path.startsWith(other + sep))).toSorted();
}

/** Call it when no process uses the directory any more. */
export function cutPower(file: string, directory: string): string[] {
  const lost = listUnsynced(file, directory);
  for (const path of lost) rmSync(path, { recursive: true, force: true });
  return lost;
}
