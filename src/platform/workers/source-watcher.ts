/**
 * Reports changes to a set of files. It watches their directories rather than the files: editors replace a file by a
 * new one, and a watch on the old one would miss later changes.
 */
import { type FSWatcher, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { watchSettleMs } from './limits.ts';

export interface WatchOptions {
  /** Whether any change beside the files counts too: a missing file may be the reason for a failed load. */
  readonly neighbours: boolean;
}

export class SourceWatcher {
  readonly #onChange: () => void;
  readonly #watchers = new Map<string, FSWatcher>();
  #files: ReadonlySet<string> = new Set();
  #neighbours = false;
  #settling: NodeJS.Timeout | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Watches these files instead of the previous ones. */
  watch(files: Iterable<string>, { neighbours }: WatchOptions): void {
    this.#files = new Set(files);
    this.#neighbours = neighbours;
    const directories = new Set([...this.#files].map((file) => dirname(file)));
    for (const [directory, watcher] of this.#watchers) {
      if (directories.has(directory)) continue;
      watcher.close();
      this.#watchers.delete(directory);
    }
    for (const directory of directories) this.#watchDirectory(directory);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#settling);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #watchDirectory(directory: string): void {
    if (this.#watchers.has(directory)) return;
    const watcher = watch(directory, (_event, name) => {
      // Some systems do not report which file it was.
      if (name !== null && !this.#neighbours && !this.#files.has(join(directory, name))) return;
      clearTimeout(this.#settling);
      this.#settling = setTimeout(this.#onChange, watchSettleMs);
    });
    // The directory was deleted: a later load, if it needs it, watches it again.
    watcher.on('error', () => {
      watcher.close();
      this.#watchers.delete(directory);
    });
    this.#watchers.set(directory, watcher);
  }
}
