/**
 * The contents of a bucket of a cluster: objects besides the bucket's own, so that every host can read them and none
 * has to store them. A file is spread over objects of a few megabytes each, which are in the databases like all
 * objects.
 *
 * - A file is in the database before `write` resolves.
 * - The bucket records a file before its first byte is written: the remains of an interrupted write are removed when
 *   the bucket is opened again.
 */
import { randomBytes } from 'node:crypto';
import type { DurableObjectNamespace } from '#objects';
import { r2ContentBytes, r2ContentChunkBytes, r2PieceBytes } from '../../limits.ts';
import type { ByteRange } from '../ranges.ts';
import type { BodyContent } from '../r2-records.ts';
import { holdBodies, readHeldBody, removeLater } from './body-readers.ts';
import {
  type BodyStore,
  digestBody,
  listPieces,
  type Piece,
  type StoredFile,
  type BodyWriteOptions,
  type WrittenFile,
} from './body-store.ts';
import type { R2ContentObject } from './content-object.ts';

/** What the bucket records about files that are being written. */
export interface PendingFiles {
  /** Recorded in the database before anything that is called later. */
  note(file: string): void;
  list(): readonly string[];
  forget(file: string): void;
}

export interface BodyObjectsOptions {
  /** The bucket's id: files of two buckets never collide. */
  readonly bucket: string;
  readonly contents: () => DurableObjectNamespace;
  readonly pending: PendingFiles;
  readonly onError: (error: unknown) => void;
}

export class BodyObjects implements BodyStore {
  readonly #options: BodyObjectsOptions;

  constructor(options: BodyObjectsOptions) {
    this.#options = options;
  }

  /** Removes files whose writing was interrupted when the bucket was last open. */
  async collect(): Promise<void> {
    for (const file of this.#options.pending.list()) {
      let index = 0;
      while (await this.#open(file, index).remove()) index++;
      this.#options.pending.forget(file);
    }
  }

  async write(body: BodyContent, options: BodyWriteOptions): Promise<WrittenFile> {
    const name = randomBytes(16).toString('hex');
    this.#options.pending.note(name);
    const writer = new ContentWriter((index) => this.#open(name, index));
    try {
      const read = await digestBody(body, options, (chunk) => writer.take(chunk));
      const count = await writer.end();
      return { file: `${name}.${count}`, ...read };
    } catch (error) {
      await this.#removeNow(`${name}.${writer.count}`);
      this.#options.pending.forget(name);
      throw error;
    }
  }

  async read(files: readonly StoredFile[], range: ByteRange): Promise<BodyContent> {
    const pieces = listPieces(files, range);
    const release = holdBodies(pieces.map(({ file }) => this.#nameOf(file)));
    return await readHeldBody(this.#readPieces(pieces), range.length, release);
  }

  async remove(files: readonly string[]): Promise<void> {
    for (const file of files) {
      const later = (): void => void this.#removeNow(file).catch(this.#options.onError);
      if (!removeLater(this.#nameOf(file), later)) await this.#removeNow(file);
    }
  }

  async *#readPieces(pieces: readonly Piece[]): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    for (const { file, offset, length } of pieces) {
      const [name] = splitFile(file);
      for (let at = offset; at < offset + length;) {
        const index = Math.floor(at / r2ContentBytes);
        const within = at - index * r2ContentBytes;
        const count = Math.min(r2PieceBytes, r2ContentBytes - within, offset + length - at);
        const chunk = await this.#open(name, index).read(within, count);
        if (chunk.length < count) throw new Error(`${file} is shorter than the bucket has recorded`);
        yield new Uint8Array(chunk);
        at += count;
      }
    }
  }

  async #removeNow(file: string): Promise<void> {
    const [name, count] = splitFile(file);
    for (let index = 0; index < count; index++) await this.#open(name, index).remove();
  }

  #open(name: string, index: number): ContentStub {
    return this.#options.contents().getByName(`${this.#nameOf(name)}/${index}`);
  }

  #nameOf(file: string): string {
    return `${this.#options.bucket}/${file}`;
  }
}

type ContentStub = {
  readonly [Method in 'write' | 'read' | 'remove']: (
    ...args: Parameters<R2ContentObject[Method]>
  ) => Promise<Awaited<ReturnType<R2ContentObject[Method]>>>;
};

/** The name of a file, and the number of its objects. */
function splitFile(file: string): [name: string, count: number] {
  const [name, count] = file.split('.') as [string, string];
  return [name, Number(count)];
}

/** Collects bytes into chunks of one size; at most one of them is in memory. */
class ContentWriter {
  readonly #open: (index: number) => ContentStub;
  readonly #chunk = Buffer.alloc(r2ContentChunkBytes);
  #filled = 0;
  #written = 0;

  constructor(open: (index: number) => ContentStub) {
    this.#open = open;
  }

  /** Objects that contain something, or may contain something. */
  get count(): number {
    return Math.ceil((this.#written + this.#filled) / r2ContentBytes);
  }

  async take(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const count = Math.min(this.#chunk.length - this.#filled, bytes.length - at);
      this.#chunk.set(bytes.subarray(at, at + count), this.#filled);
      this.#filled += count;
      at += count;
      if (this.#filled === this.#chunk.length) await this.#flush();
    }
  }

  async end(): Promise<number> {
    if (this.#filled > 0) await this.#flush();
    return this.count;
  }

  async #flush(): Promise<void> {
    const index = Math.floor(this.#written / r2ContentBytes);
    const start = this.#written - index * r2ContentBytes;
    await this.#open(index).write(start, this.#chunk.subarray(0, this.#filled));
    this.#written += this.#filled;
    this.#filled = 0;
  }
}
