/**
 * The location of the SQLite files of objects that are awake or recently were: the runtime's own directory or, when its
 * disk is full, memory or a temporary directory, so that objects can still be woken and read. None of these files
 * outlives the runtime.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { KeptDatabases } from './kept-databases.ts';

/** Room for a write-ahead log in addition to the database. */
const spareBytes = 8 * 1024 * 1024;
const memoryDirectory = '/dev/shm';

export class Scratch {
  /** Files that can be opened again; they are removed when their space is needed. */
  readonly kept = new KeptDatabases();
  readonly #directory: string;
  #refuge: string | undefined;
  #files = 0;

  constructor(directory: string) {
    this.#directory = directory;
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { mode: 0o700 });
  }

  /** An unused path, in a place with room for a database of this size. */
  pathFor(name: string, databaseBytes: number): string {
    return `${this.#directoryFor(databaseBytes)}/${name}-${++this.#files}.sqlite`;
  }

  clear(): void {
    this.kept.clear();
    if (this.#refuge !== undefined) rmSync(this.#refuge, { recursive: true, force: true });
  }

  #directoryFor(bytes: number): string {
    if (hasRoom(this.#directory, bytes)) return this.#directory;
    this.kept.clear();
    return hasRoom(this.#directory, bytes) ? this.#directory : this.#findRefuge();
  }

  #findRefuge(): string {
    this.#refuge ??= mkdtempSync(`${existsSync(memoryDirectory) ? memoryDirectory : tmpdir()}/gatehouse-`);
    return this.#refuge;
  }
}

function hasRoom(directory: string, bytes: number): boolean {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize >= bytes + spareBytes;
}
