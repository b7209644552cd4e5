/**
 * The disk usage of the data directory, the free space of its disk, and the number of open descriptors. Measuring takes
 * time, so it happens in the background, at most once a minute, and only on demand; the result is the last known one.
 */
import { lstat, readdir, readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';

export interface Usage {
  /** Bytes on disk, by the first part of the path below the directory; top-level files are `files`. */
  readonly parts: ReadonlyMap<string, number>;
  readonly freeBytes: number;
  readonly sizeBytes: number;
  /** Undefined where there is no /proc. */
  readonly openDescriptors: number | undefined;
  readonly descriptorsMax: number | undefined;
}

const freshMs = 60_000;
/** Files that are measured concurrently. */
const filesAtOnce = 32;
const blockBytes = 512;

export class DiskUsage {
  readonly #directory: string;
  #usage: Usage | undefined;
  #lookedAtMs = -Infinity;
  #looking: Promise<void> | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** The last result, undefined before the first. */
  get latest(): Usage | undefined {
    if (performance.now() - this.#lookedAtMs > freshMs) void this.look();
    return this.#usage;
  }

  /** Resolves when there is a new result. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#lookedAtMs = performance.now();
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    try {
      const { bavail, blocks, bsize } = await statfs(this.#directory);
      this.#usage = {
        parts: await measureParts(this.#directory),
        freeBytes: bavail * bsize,
        sizeBytes: blocks * bsize,
        openDescriptors: await countDescriptors(),
        descriptorsMax: await readDescriptorsMax(),
      };
    } catch {
      // The directory cannot be read at the moment; the readiness check reports the reason.
      this.#usage = undefined;
    }
  }
}

async function measureParts(directory: string): Promise<Map<string, number>> {
  const parts = new Map<string, number>();
  const entries = await readdir(directory, { withFileTypes: true });
  for (const entry of entries) {
    const path = join(directory, entry.name);
    const part = entry.isDirectory() ? entry.name : 'files';
    const bytes = entry.isDirectory() ? await measureFolder(path) : await measureFile(path);
    parts.set(part, (parts.get(part) ?? 0) + bytes);
  }
  return parts;
}

async function measureFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (let at = 0; at < entries.length; at += filesAtOnce) {
    const some = entries.slice(at, at + filesAtOnce);
    const sizes = some.map((entry) =>
      entry.isDirectory() ? measureFolder(join(folder, entry.name)) : measureFile(join(folder, entry.name)),
    );
    for (const size of await Promise.all(sizes)) bytes += size;
  }
  return bytes;
}

/** Zero if it was deleted: files are created and deleted meanwhile. */
async function measureFile(path: string): Promise<number> {
  const status = await lstat(path).catch(() => undefined);
  return (status?.blocks ?? 0) * blockBytes;
}

async function countDescriptors(): Promise<number | undefined> {
  const names = await readdir('/proc/self/fd').catch(() => undefined);
  return names?.length;
}

async function readDescriptorsMax(): Promise<number | undefined> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const found = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return found === undefined ? undefined : Number(found);
}
