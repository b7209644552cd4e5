/**
 * A file system in memory that logs all operations, so that every possible crash can be replayed afterwards
 * (crash-replay.ts). Reads see every write at once, like a page cache; the log of operations and returned syncs decides
 * what has reached the disk.
 *
 * A sync covers what was done before it was called and counts from when it returns. Asynchronous calls take a few turns
 * of the event loop, drawn from the seed, so that syncs overlap with what happens meanwhile.
 */
import { posix } from 'node:path';
import type { FileSystem, OpenFile, OpenMode } from '#files';
import { DiskImage, type DiskOperation, type FileNumber } from './disk-image.ts';
import { Random } from './random.ts';

/** `through`: how much of the log a sync covers. */
export type DiskEvent =
  | DiskOperation
  | { readonly kind: 'sync'; readonly file: FileNumber; readonly through: number }
  | { readonly kind: 'syncDirectory'; readonly path: string; readonly through: number };

export interface DiskStart {
  /** The contents of the disk. */
  readonly image: DiskImage;
  /** Later unsynced operations of a killed process, which the kernel still has. */
  readonly unsynced?: readonly DiskOperation[];
}

export class SimulatedDisk implements FileSystem {
  readonly start: DiskStart;
  readonly log: DiskEvent[] = [];
  /** The kernel's view: everything done so far, synced or not. */
  readonly #image: DiskImage;
  readonly #random: Random;
  #nextFile: number;
  #openFiles = 0;

  constructor(start: DiskStart, { seed = 1 }: { seed?: number } = {}) {
    this.start = start;
    this.#image = start.image.copy();
    for (const operation of start.unsynced ?? []) this.#image.apply(operation);
    this.#nextFile = this.#image.unusedFile;
    this.#random = new Random(seed);
  }

  /** How many files are open. */
  get openFiles(): number {
    return this.#openFiles;
  }

  /** How often `fdatasync` or `fsync` of a file has returned. */
  get syncs(): number {
    return this.log.filter((event) => event.kind === 'sync').length;
  }

  readFile(path: string): Buffer {
    const file = this.#existing(posix.resolve(path));
    const bytes = Buffer.alloc(this.#image.size(file));
    this.#image.read(file, bytes, 0);
    return bytes;
  }

  async open(path: string, mode: OpenMode): Promise<OpenFile> {
    await this.#delay();
    return this.openSync(path, mode);
  }

  openSync(path: string, mode: OpenMode): OpenFile {
    const place = posix.resolve(path);
    if (mode !== 'create') return this.#handle(path, this.#existing(place), mode);
    if (this.#image.file(place) !== undefined) throw diskError('EEXIST', 'open', path);
    this.#names(posix.dirname(place));
    const file = this.#nextFile++ as FileNumber;
    this.#do({ kind: 'create', path: place, file });
    return this.#handle(path, file, mode);
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#delay();
    this.renameSync(from, to);
  }

  renameSync(from: string, to: string): void {
    const places = { from: posix.resolve(from), to: posix.resolve(to) };
    // Whether both names change together would depend on two directories: nothing here needs that.
    if (posix.dirname(places.from) !== posix.dirname(places.to)) throw diskError('EXDEV', 'rename', from);
    this.#do({ kind: 'rename', ...places, file: this.#existing(places.from) });
  }

  async unlink(path: string): Promise<void> {
    await this.#delay();
    this.unlinkSync(path);
  }

  unlinkSync(path: string): void {
    const place = posix.resolve(path);
    this.#do({ kind: 'unlink', path: place, file: this.#existing(place) });
  }

  readdirSync(path: string): string[] {
    return this.#names(posix.resolve(path));
  }

  mkdirSync(path: string): boolean {
    const place = posix.resolve(path);
    if (this.#image.names(place) !== undefined) return false;
    this.#names(posix.dirname(place));
    this.#do({ kind: 'mkdir', path: place });
    return true;
  }

  async fsyncDirectory(path: string): Promise<void> {
    this.#names(posix.resolve(path));
    const through = this.log.length;
    await this.#delay();
    this.log.push({ kind: 'syncDirectory', path: posix.resolve(path), through });
  }

  fsyncDirectorySync(path: string): void {
    this.#names(posix.resolve(path));
    this.log.push({ kind: 'syncDirectory', path: posix.resolve(path), through: this.log.length });
  }

  #handle(path: string, file: FileNumber, mode: OpenMode): OpenFile {
    let open = true;
    this.#openFiles++;
    const readable = (call: string): void => {
      if (!open) throw diskError('EBADF', call, path);
    };
    const writable = (call: string): void => {
      if (!open || mode === 'read') throw diskError('EBADF', call, path);
    };
    const write = (bytes: Uint8Array, position: number): void => {
      writable('write');
      if (bytes.length > 0) this.#do({ kind: 'write', file, position, bytes: Buffer.from(bytes) });
    };
    const read = (target: Uint8Array, position: number): number => {
      readable('read');
      return this.#image.read(file, target, position);
    };
    return {
      path,
      readSync: read,
      read: async (target, position) => {
        await this.#delay();
        return read(target, position);
      },
      writeSync: write,
      write: async (bytes, position) => {
        await this.#delay();
        write(bytes, position);
      },
      fdatasync: async () => {
        readable('fdatasync');
        const through = this.log.length;
        await this.#delay();
        this.log.push({ kind: 'sync', file, through });
      },
      fsyncSync: () => {
        readable('fsync');
        this.log.push({ kind: 'sync', file, through: this.log.length });
      },
      truncateSync: (size) => {
        writable('ftruncate');
        this.#do({ kind: 'resize', file, size });
      },
      sizeSync: () => {
        readable('fstat');
        return this.#image.size(file);
      },
      closeSync: () => {
        readable('close');
        open = false;
        this.#openFiles--;
      },
    };
  }

  #do(operation: DiskOperation): void {
    this.#image.apply(operation);
    this.log.push(operation);
  }

  #existing(place: string): FileNumber {
    const file = this.#image.file(place);
    if (file === undefined) throw diskError('ENOENT', 'open', place);
    return file;
  }

  #names(place: string): string[] {
    const names = this.#image.names(place);
    const isFile = this.#image.file(place) !== undefined;
    if (names === undefined) throw diskError(isFile ? 'ENOTDIR' : 'ENOENT', 'scandir', place);
    return names;
  }

  async #delay(): Promise<void> {
    for (let turns = 1 + this.#random.below(3); turns > 0; turns--) await nextTurn();
  }
}

// Captured: a runtime replaces the globals for code that runs inside objects.
const nativeSetImmediate = globalThis.setImmediate;

function nextTurn(): Promise<void> {
  return new Promise((resolve) => nativeSetImmediate(resolve));
}

/** An error as `node:fs` words it. */
export function diskError(code: string, call: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: simulated, ${call} '${path}'`), { code, syscall: call, path });
}
