/**
 * The uploads that wait on disk until rules have judged them: how much room all of them take, and where. Nobody can open
 * them by a name, and a process that is killed leaves none behind.
 */
import { closeSync, constants, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { Upload } from './upload.ts';

export interface UploadsOptions {
  /** The system's directory for temporary files by default. */
  readonly directory?: string | undefined;
  /** All uploads together. */
  readonly bytesMax: number;
}

const scratchFile = /^upload-[0-9a-f]{32}$/;

export class Uploads {
  readonly #directory: string;
  readonly #bytesMax: number;
  #bytes = 0;

  constructor({ directory, bytesMax }: UploadsOptions) {
    if (directory !== undefined) removeLeftFiles(directory);
    this.#directory = directory ?? tmpdir();
    this.#bytesMax = bytesMax;
  }

  /** What uploads hold on disk. */
  get bytes(): number {
    return this.#bytes;
  }

  open(onDrain: () => void, onError: (error: Error) => void): Upload {
    return new Upload(createScratchFile(this.#directory), {
      take: (bytes) => this.#take(bytes),
      release: (bytes) => {
        this.#bytes -= bytes;
      },
      onDrain,
      onError,
    });
  }

  #take(bytes: number): boolean {
    if (this.#bytes + bytes > this.#bytesMax) return false;
    this.#bytes += bytes;
    return true;
  }
}

/** Its name is removed before anything is in it, so that the file ends with its descriptor. */
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
    // Another process may remove it, too.
    if (scratchFile.test(name)) rmSync(join(directory, name), { force: true });
  }
}
