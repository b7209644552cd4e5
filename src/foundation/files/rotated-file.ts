/**
 * A file of lines that is rotated: when it would become larger than `bytesMax`, `access.log` becomes `access.log.1`, that
 * becomes `access.log.2`, and the oldest is removed. The file is readable by its owner only, because paths and queries can
 * contain secrets. Everything happens off the event loop.
 *
 * - A batch of lines is never split between two files.
 * - If the end of a write is lost, the next line still starts on a line of its own.
 * - If a file cannot be renamed, lines continue in the current one.
 */
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeDirectory } from './private-file.ts';

export interface RotatedFileOptions {
  readonly path: string;
  /** Zero: the file is never rotated. */
  readonly bytesMax: number;
  /** How many files are kept besides the current one. */
  readonly filesKept: number;
  readonly onError: (error: unknown) => void;
}

export class RotatedFile {
  readonly #options: RotatedFileOptions;
  #file: FileHandle | undefined;
  #bytes = 0;
  /** The last write ended in the middle of a line. */
  #isMidLine = false;

  constructor(options: RotatedFileOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.path;
  }

  /** Opens the file, so that a wrong path is found at the start. */
  async open(): Promise<void> {
    const { path } = this.#options;
    makeDirectory(dirname(path));
    this.#file = await open(path, 'a', 0o600);
    this.#bytes = (await this.#file.stat()).size;
  }

  async reopen(): Promise<void> {
    await this.close();
    await this.open();
    this.#isMidLine = false;
  }

  async write(bytes: Buffer): Promise<void> {
    await this.#prepare(bytes.length);
    const file = this.#file!;
    const whole = this.#isMidLine ? Buffer.concat([lineFeed, bytes]) : bytes;
    for (let at = 0; at < whole.length;) {
      const { bytesWritten } = await file.write(whole, at);
      at += bytesWritten;
      this.#bytes += bytesWritten;
      this.#isMidLine = whole[at - 1] !== lineFeed[0];
    }
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  async #prepare(length: number): Promise<void> {
    if (this.#file === undefined) await this.open();
    const { bytesMax } = this.#options;
    if (bytesMax === 0 || this.#bytes === 0 || this.#bytes + length <= bytesMax) return;
    await this.#rotate();
  }

  async #rotate(): Promise<void> {
    const { path, filesKept, onError } = this.#options;
    try {
      if (filesKept === 0) await rm(path, { force: true });
      for (let number = filesKept; number > 0; number--) {
        await renameIfThere(number === 1 ? path : `${path}.${number - 1}`, `${path}.${number}`);
      }
    } catch (error) {
      return onError(error);
    }
    await this.reopen();
  }
}

const lineFeed = Buffer.from('\n');

async function renameIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
