/**
 * The contents of a bucket: files in one directory, written once and never changed.
 *
 * - A file is on disk, with its name, before `write` resolves. A caller that then records its name may acknowledge it.
 * - A file that is being read stays until its readers are done.
 * - A file whose name is not recorded is left from a process that ended: `collect` deletes it. Once in a process is enough,
 *   because a write that fails removes its own file.
 */
import { createHash, type Hash, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { realFileSystem as fs, type OpenFile } from '#base';
import { r2PieceBytes } from '../limits.ts';
import { toChunk } from '../read-bytes.ts';
import type { ByteRange } from './ranges.ts';
import { R2Failure } from './r2-failure.ts';
import type { Body, ChecksumName } from './r2-records.ts';

export interface WrittenFile {
  readonly file: string;
  readonly size: number;
  /** As hexadecimal digits. */
  readonly digests: ReadonlyMap<ChecksumName, string>;
}

export interface StoredFile {
  readonly file: string;
  readonly size: number;
}

/** Directories that have been looked through by this process. */
const collected = new Set<string>();
/** How many read a file, by its path, and which of these are to be removed after them. */
const readers = new Map<string, number>();
const doomed = new Set<string>();
/** A stream that is neither read to its end nor cancelled holds its files until it is collected. */
const abandoned = new FinalizationRegistry<() => void>((release) => release());

export class BodyFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Deletes what is not recorded. */
  collect(isRecorded: (file: string) => boolean): void {
    if (collected.has(this.#directory)) return;
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    fs.fsyncDirectorySync(join(this.#directory, '..'));
    for (const file of fs.readdirSync(this.#directory)) {
      if (!isRecorded(file)) fs.unlinkSync(this.#path(file));
    }
    collected.add(this.#directory);
  }

  async write(
    body: Body,
    { names, bytesMax }: { names: Iterable<ChecksumName>; bytesMax: number },
  ): Promise<WrittenFile> {
    const file = randomBytes(16).toString('hex');
    const path = this.#path(file);
    const hashes = new Map<ChecksumName, Hash>();
    for (const name of names) hashes.set(name, createHash(name));
    const open = await fs.open(path, 'create');
    try {
      const size = await writeBody(open, body, { hashes: [...hashes.values()], bytesMax });
      await open.fdatasync();
      await fs.fsyncDirectory(this.#directory);
      const digests = new Map([...hashes].map(([name, hash]) => [name, hash.digest('hex')]));
      return { file, size, digests };
    } catch (error) {
      await fs.unlink(path);
      throw error;
    } finally {
      open.closeSync();
    }
  }

  /** The bytes of a range of the contents of some files, one after another. */
  async read(files: readonly StoredFile[], range: ByteRange): Promise<Body> {
    const pieces = listPieces(files, range).map((piece) => ({ ...piece, path: this.#path(piece.file) }));
    const release = holdFiles(pieces.map(({ path }) => path));
    if (range.length > r2PieceBytes) return createStream(readPieces(pieces), release);
    try {
      const chunks = await Array.fromAsync(readPieces(pieces));
      return Buffer.concat(chunks);
    } finally {
      release();
    }
  }

  /** Deletes files that nothing refers to any more. */
  async remove(files: readonly string[]): Promise<void> {
    for (const file of files) {
      const path = this.#path(file);
      if (readers.has(path)) doomed.add(path);
      else await fs.unlink(path);
    }
  }

  #path(file: string): string {
    return join(this.#directory, file);
  }
}

interface Piece {
  readonly file: string;
  readonly offset: number;
  readonly length: number;
}

/** Which part of which file has the bytes of a range. */
function listPieces(files: readonly StoredFile[], { offset, length }: ByteRange): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  for (const { file, size } of files) {
    const from = Math.max(offset - start, 0);
    const to = Math.min(offset + length - start, size);
    if (from < to) pieces.push({ file, offset: from, length: to - from });
    start += size;
  }
  return pieces;
}

async function* readPieces(
  pieces: readonly (Piece & { readonly path: string })[],
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (const { path, offset, length } of pieces) {
    const open = await fs.open(path, 'read');
    try {
      for (let at = 0; at < length; at += r2PieceBytes) {
        const chunk = new Uint8Array(Math.min(r2PieceBytes, length - at));
        const count = await open.read(chunk, offset + at);
        if (count < chunk.length) throw new Error(`${path} is shorter than the bucket has recorded`);
        yield chunk;
      }
    } finally {
      open.closeSync();
    }
  }
}

function createStream(chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>, release: () => void): ReadableStream {
  const stream = new ReadableStream(
    {
      type: 'bytes',
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (done !== true) return controller.enqueue(value);
          release();
          controller.close();
          controller.byobRequest?.respond(0);
        } catch (error) {
          release();
          throw error;
        }
      },
      async cancel() {
        await chunks.return(undefined);
        release();
      },
    },
    { highWaterMark: 0 },
  );
  abandoned.register(stream, release);
  return stream;
}

async function writeBody(
  open: OpenFile,
  body: Body,
  { hashes, bytesMax }: { readonly hashes: readonly Hash[]; readonly bytesMax: number },
): Promise<number> {
  let size = 0;
  const write = async (chunk: Uint8Array): Promise<void> => {
    if (size + chunk.length > bytesMax) throw new R2Failure('tooLarge');
    for (const hash of hashes) hash.update(chunk);
    await open.write(chunk, size);
    size += chunk.length;
  };
  if (!(body instanceof ReadableStream)) await write(body);
  else for await (const chunk of body) await write(toChunk(chunk));
  return size;
}

/** Keeps files until the result is called. */
function holdFiles(paths: readonly string[]): () => void {
  for (const path of paths) readers.set(path, (readers.get(path) ?? 0) + 1);
  let isHeld = true;
  return () => {
    if (isHeld) for (const path of paths) releaseFile(path);
    isHeld = false;
  };
}

function releaseFile(path: string): void {
  const left = readers.get(path)! - 1;
  if (left > 0) return void readers.set(path, left);
  readers.delete(path);
  if (doomed.delete(path)) fs.unlinkSync(path);
}
