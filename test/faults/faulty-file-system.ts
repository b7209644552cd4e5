/**
 * A file system that fails on request: an operation can be made to fail with a code, a number of times, and space can
 * run out and be freed. A failed operation has no effect, except that a write without enough space writes as much as
 * fits, like a real one, and a failed sync gives no information about what reached the disk.
 */
import type { FileSystem, OpenFile, OpenMode } from '#files';
import { diskError } from './simulated-disk.ts';

export type FaultyOperation =
  | 'open'
  | 'write'
  | 'sync'
  | 'truncate'
  | 'rename'
  | 'unlink'
  | 'mkdir'
  | 'syncDirectory';

interface Fault {
  readonly operation: FaultyOperation;
  readonly code: string;
  /** Only paths that contain this. */
  readonly path: string;
  /** How many pass before the first fails. */
  after: number;
  times: number;
}

export class FaultyFileSystem implements FileSystem {
  readonly #inner: FileSystem;
  #faults: Fault[] = [];
  /** The free space. */
  freeBytes = Infinity;
  /** How many operations were made to fail. */
  failures = 0;

  constructor(inner: FileSystem) {
    this.#inner = inner;
  }

  fail(
    operation: FaultyOperation,
    fault: { code: string; path?: string; after?: number; times?: number },
  ): void {
    this.#faults.push({ operation, path: '', after: 0, times: 1, ...fault });
  }

  /** From now on everything works again. */
  heal(): void {
    this.#faults = [];
    this.freeBytes = Infinity;
  }

  async open(path: string, mode: OpenMode): Promise<OpenFile> {
    this.#pass('open', path);
    return this.#wrap(await this.#inner.open(path, mode));
  }

  openSync(path: string, mode: OpenMode): OpenFile {
    this.#pass('open', path);
    return this.#wrap(this.#inner.openSync(path, mode));
  }

  async rename(from: string, to: string): Promise<void> {
    this.#pass('rename', to);
    await this.#inner.rename(from, to);
  }

  renameSync(from: string, to: string): void {
    this.#pass('rename', to);
    this.#inner.renameSync(from, to);
  }

  async unlink(path: string): Promise<void> {
    this.#pass('unlink', path);
    const size = this.#sizeOf(path);
    await this.#inner.unlink(path);
    this.freeBytes += size;
  }

  unlinkSync(path: string): void {
    this.#pass('unlink', path);
    const size = this.#sizeOf(path);
    this.#inner.unlinkSync(path);
    this.freeBytes += size;
  }

  readdirSync(path: string): string[] {
    return this.#inner.readdirSync(path);
  }

  mkdirSync(path: string): boolean {
    this.#pass('mkdir', path);
    return this.#inner.mkdirSync(path);
  }

  async fsyncDirectory(path: string): Promise<void> {
    this.#pass('syncDirectory', path);
    await this.#inner.fsyncDirectory(path);
  }

  fsyncDirectorySync(path: string): void {
    this.#pass('syncDirectory', path);
    this.#inner.fsyncDirectorySync(path);
  }

  #wrap(file: OpenFile): OpenFile {
    const { path } = file;
    return {
      path,
      read: (target, position) => file.read(target, position),
      readSync: (target, position) => file.readSync(target, position),
      write: async (bytes, position) => {
        this.#pass('write', path);
        const fits = this.#take(file, bytes, position);
        await file.write(fits, position);
        if (fits.length < bytes.length) throw this.#failure('ENOSPC', 'write', path);
      },
      writeSync: (bytes, position) => {
        this.#pass('write', path);
        const fits = this.#take(file, bytes, position);
        file.writeSync(fits, position);
        if (fits.length < bytes.length) throw this.#failure('ENOSPC', 'write', path);
      },
      fdatasync: async () => {
        this.#pass('sync', path);
        await file.fdatasync();
      },
      fsyncSync: () => {
        this.#pass('sync', path);
        file.fsyncSync();
      },
      truncateSync: (size) => {
        this.#pass('truncate', path);
        this.freeBytes += Math.max(0, file.sizeSync() - size);
        file.truncateSync(size);
      },
      sizeSync: () => file.sizeSync(),
      closeSync: () => file.closeSync(),
    };
  }

  /** The part of a write there is space for, which is then taken. */
  #take(file: OpenFile, bytes: Uint8Array, position: number): Uint8Array {
    const lacking = Math.max(0, position + bytes.length - file.sizeSync() - this.freeBytes);
    const fits = bytes.subarray(0, Math.max(0, bytes.length - lacking));
    this.freeBytes -= Math.max(0, position + fits.length - file.sizeSync());
    return fits;
  }

  #sizeOf(path: string): number {
    const file = this.#inner.openSync(path, 'read');
    try {
      return file.sizeSync();
    } finally {
      file.closeSync();
    }
  }

  #pass(operation: FaultyOperation, path: string): void {
    for (const fault of this.#faults) {
      if (fault.operation !== operation || fault.times === 0 || !path.includes(fault.path)) continue;
      if (fault.after-- > 0) continue;
      fault.times--;
      throw this.#failure(fault.code, operation, path);
    }
  }

  #failure(code: string, operation: string, path: string): NodeJS.ErrnoException {
    this.failures++;
    return diskError(code, operation, path);
  }
}
