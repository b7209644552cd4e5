/** Where the contents of a bucket are, beside what it records about them: files of a directory, or objects of a cluster. */
import { createHash, type Hash } from 'node:crypto';
import { toChunk } from '../../read-bytes.ts';
import { R2Failure } from '../r2-failure.ts';
import type { ByteRange } from '../ranges.ts';
import type { Body, ChecksumName } from '../r2-records.ts';

export interface WriteOptions {
  readonly names: Iterable<ChecksumName>;
  readonly bytesMax: number;
}

/** A file is contents that are written once, and never changed. */
export interface StoredFile {
  readonly file: string;
  readonly size: number;
}

export interface WrittenFile extends StoredFile {
  /** As hexadecimal digits. */
  readonly digests: ReadonlyMap<ChecksumName, string>;
}

export interface BodyStore {
  /** Resolves when the file is where nothing loses it. One that is not written whole is removed. */
  write(body: Body, options: WriteOptions): Promise<WrittenFile>;
  /**
   * The bytes of a range of the contents of some files, one after another. If `md5` is that of all of it, bytes that
   * changed on a disk are an error, for a stream at its end.
   */
  read(files: readonly StoredFile[], range: ByteRange, md5?: string): Promise<Body>;
  /** Deletes files that nothing refers to any more, when nobody reads them. */
  remove(files: readonly string[]): Promise<void>;
}

export interface Piece {
  readonly file: string;
  readonly offset: number;
  readonly length: number;
}

/** Which part of which file has the bytes of a range. */
export function listPieces(files: readonly StoredFile[], { offset, length }: ByteRange): Piece[] {
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

/** Hands on what a body has, chunk by chunk. */
export async function digestBody(
  body: Body,
  { names, bytesMax }: WriteOptions,
  write: (chunk: Uint8Array, at: number) => Promise<unknown>,
): Promise<Omit<WrittenFile, 'file'>> {
  const hashes = new Map<ChecksumName, Hash>();
  for (const name of names) hashes.set(name, createHash(name));
  let size = 0;
  const take = async (chunk: Uint8Array): Promise<void> => {
    if (size + chunk.length > bytesMax) throw new R2Failure('tooLarge');
    for (const hash of hashes.values()) hash.update(chunk);
    await write(chunk, size);
    size += chunk.length;
  };
  if (!(body instanceof ReadableStream)) await take(body);
  else for await (const chunk of body) await take(toChunk(chunk));
  return { size, digests: new Map([...hashes].map(([name, hash]) => [name, hash.digest('hex')])) };
}
