/**
 * The uploads that wait on disk until rules have judged them: how much room they take in total, and where. They have no
 * file names, and a killed process leaves no files.
 *
 * If there is no room, the upload that has been without notable progress for longest is evicted. If all of them arrive
 * quickly, the newcomer is refused. So slow clients cannot keep the room from others. Only a few uploads are read back
 * into memory to be judged at a time; the others wait on disk for their turn.
 */
import { closeSync, constants, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { longBodiesMax, uploadIdleMs, uploadProgressBytes } from '../../wire/limits.ts';
import { Upload } from './upload.ts';

export interface UploadsOptions {
  /** The system's directory for temporary files by default. */
  readonly directory?: string | undefined;
  /** Limit for all uploads together. */
  readonly bytesMax: number;
  readonly now: () => number;
}

export interface UploadListener {
  /** All pending writes are done, after the upload had asked to stop. */
  onDrain(): void;
  onError(error: Error): void;
  /** Another upload needs the room. */
  onEvicted(): void;
}

/** The progress of an arriving upload. */
interface UploadProgress {
  readonly listener: UploadListener;
  sinceMs: number;
  bytes: number;
}

const scratchFile = /^upload-[0-9a-f]{32}$/;

export class Uploads {
  readonly #directory: string;
  readonly #bytesMax: number;
  readonly #now: () => number;
  #bytes = 0;
  /** Incomplete uploads, the one without progress for longest first. */
  readonly #arriving = new Set<UploadProgress>();
  #turns = 0;
  readonly #waiting: (() => void)[] = [];

  constructor({ directory, bytesMax, now }: UploadsOptions) {
    this.#now = now;
    if (directory !== undefined) removeLeftFiles(directory);
    this.#directory = directory ?? tmpdir();
    this.#bytesMax = bytesMax;
  }

  /** Bytes of uploads on disk. */
  get bytes(): number {
    return this.#bytes;
  }

  open(listener: UploadListener): Upload {
    const descriptor = createScratchFile(this.#directory);
    const progress: UploadProgress = { listener, sinceMs: this.#now(), bytes: 0 };
    this.#arriving.add(progress);
    return new Upload(descriptor, {
      take: (bytes) => this.#take(progress, bytes),
      release: (bytes) => {
        this.#bytes -= bytes;
      },
      takeTurn: () => this.#takeTurn(),
      endTurn: () => this.#endTurn(),
      onArrived: () => this.#arriving.delete(progress),
      onDrain: () => listener.onDrain(),
      onError: (error) => listener.onError(error),
    });
  }

  async #takeTurn(): Promise<void> {
    if (this.#turns < longBodiesMax) this.#turns++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Passes the turn to the upload that has waited longest. */
  #endTurn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#turns--;
    else next();
  }

  #take(progress: UploadProgress, bytes: number): boolean {
    while (this.#bytes + bytes > this.#bytesMax) if (!this.#evictIdlest(progress)) return false;
    this.#bytes += bytes;
    progress.bytes += bytes;
    if (progress.bytes >= uploadProgressBytes) {
      progress.bytes = 0;
      progress.sinceMs = this.#now();
      this.#arriving.delete(progress);
      this.#arriving.add(progress);
    }
    return true;
  }

  /** Returns false if no upload is idle, except perhaps the one that needs the room. */
  #evictIdlest(except: UploadProgress): boolean {
    const [idlest] = this.#arriving;
    if (idlest === undefined || idlest === except || this.#now() - idlest.sinceMs < uploadIdleMs)
      return false;
    this.#arriving.delete(idlest);
    idlest.listener.onEvicted();
    return true;
  }
}

/** The name is removed before the first write, so that the file disappears with its descriptor. */
function createScratchFile(directory: string): number {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, `upload-${randomBytes(16).toString('hex')}`);
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    rmSync(path, { force: true });
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Removes the empty files of processes that were killed between creating one and removing its name. */
function removeLeftFiles(directory: string): void {
  let names: readonly string[];
  try {
    names = readdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  for (const name of names) {
    // Another process may remove it at the same time.
    if (scratchFile.test(name)) rmSync(join(directory, name), { force: true });
  }
}
