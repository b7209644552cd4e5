/** Shared code of this room's tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type FileSystem, type OpenFile, realFileSystem } from '#files';

export function temporaryDirectory(t: { after(callback: () => void): void }): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-tables-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

/** The owner with this number: 34 bytes that sort like the numbers. */
export const ownerNumber = (number: number): string => String(number).padStart(34, '0');

export const text = (value: Uint8Array | undefined): string | undefined =>
  value === undefined ? undefined : Buffer.from(value).toString('latin1');

export const bytes = (value: string): Uint8Array => Uint8Array.from(Buffer.from(value, 'latin1'));

/**
 * The real file system, with a hook before everything that changes the disk. `before` gets the next operation ("rename
 * manifest.tmp") and may throw instead; half of a write that fails has happened nevertheless. Syncs are announced but
 * not made: no machine crashes here, and a test should not wait for a disk.
 */
export function watchedFileSystem(before: (operation: string) => void): FileSystem {
  const real = realFileSystem;
  const say = (verb: string, path: string): void => before(`${verb} ${basename(path)}`);
  const watch = (file: OpenFile): OpenFile => ({
    path: file.path,
    read: (target, position) => file.read(target, position),
    readSync: (target, position) => file.readSync(target, position),
    async write(data, position) {
      try {
        say('write', file.path);
      } catch (error) {
        await file.write(data.subarray(0, data.length >>> 1), position);
        throw error;
      }
      await file.write(data, position);
    },
    writeSync(data, position) {
      say('write', file.path);
      file.writeSync(data, position);
    },
    fdatasync: async () => say('sync', file.path),
    fsyncSync: () => say('sync', file.path),
    truncateSync: (size) => file.truncateSync(size),
    sizeSync: () => file.sizeSync(),
    closeSync: () => file.closeSync(),
  });
  return {
    ...real,
    async open(path, mode) {
      if (mode !== 'read') say(mode, path);
      return watch(await real.open(path, mode));
    },
    openSync(path, mode) {
      if (mode !== 'read') say(mode, path);
      return watch(real.openSync(path, mode));
    },
    async rename(from, to) {
      say('rename', from);
      await real.rename(from, to);
    },
    renameSync(from, to) {
      say('rename', from);
      real.renameSync(from, to);
    },
    async unlink(path) {
      say('unlink', path);
      await real.unlink(path);
    },
    unlinkSync(path) {
      say('unlink', path);
      real.unlinkSync(path);
    },
    fsyncDirectory: async () => before('sync directory'),
    fsyncDirectorySync: () => before('sync directory'),
  };
}
