/** Where the contents of a bucket are stored: in files of a directory, or in objects of a cluster. */
import { createHash, type Hash } from 'node:crypto';
import { toChunk } from '../../read-bytes.ts';
import { R2Failure } from '../r2-failure.ts';
import type { ByteRange } from '../ranges.ts';
import type { BodyContent, ChecksumName } from '../r2-records.ts';

export interface BodyWriteOptions {
  readonly names: Iterable<ChecksumName>;
  readonly bytesMax: number;
}

/** A file contains immutable contents. */
export interface StoredFile {
  readonly file: string;
  readonly size: number;
}

export interface WrittenFile extends StoredFile {
  /** As hexadecimal digits. */
  readonly digests: ReadonlyMap<ChecksumName, string>;
}

export interface BodyStore {
  /** Resolves when the file is durable. An incompletely written one is removed. */
  write(body: BodyContent, options: BodyWriteOptions): Promise<WrittenFile>;
  /**
   * The bytes of a range of the contents of some files, in sequence. If `md5` is the digest of the whole contents,
   * bytes that changed on a disk are an error, for a stream at its end.
   */
  read(files: readonly StoredFile[], range: ByteRange, md5?: string): Promise<BodyContent>;
  /** Deletes files that nothing refers to any more, once they have no readers. */
  remove(files: readonly string[]): Promise<void>;
}

export interface Piece {
  readonly file: string;
  readonly offset: number;
  readonly length: number;
}

/** The parts of the files that contain the bytes of a range. */
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

/** Passes on the chunks of a body. */
export async function digestBody(
  body: BodyContent,
  { names, bytesMax }: BodyWriteOptions,
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
