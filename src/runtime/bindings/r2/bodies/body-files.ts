/**
 * The contents of a bucket: files in one directory, written once and never changed.
 *
 * - A file is on disk, with its name, before `write` resolves. A caller that then records its name may acknowledge it.
 * - A file that is being read stays until its readers are done, and one that a backup may copy stays until the backup
 *   is done.
 * - An incompletely written file has another name: `collect` deletes those of ended processes. Once per process is
 *   enough, because a write that fails removes its own file.
 * - A complete file that is not recorded may belong to lost records that can be restored from a backup: it stays as
 *   long as the history of objects.
 */
import { join } from 'node:path';
import type { PastObject } from '#objects';
import { createHash, randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { makeDirectory, realFileSystem as fs, removeAfterCopies } from '#files';
import { r2PieceBytes, r2UnrecordedMsMax } from '../../limits.ts';
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
import type { ByteRange } from '../ranges.ts';
import type { BodyContent } from '../r2-records.ts';

/** The suffix of a file that is being written. */
const unfinishedMark = '.tmp';

/** Directories that this process has already collected. */
const collected = new Set<string>();

export class BodyFiles implements BodyStore {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Deletes incompletely written files, and files that have been unrecorded for long. */
  collect(isRecorded: (file: string) => boolean): void {
    if (collected.has(this.#directory)) return;
    makeDirectory(this.#directory);
    for (const file of fs.readdirSync(this.#directory)) {
      const path = this.#path(file);
      if (isRecorded(file)) continue;
      const isLeft = file.endsWith(unfinishedMark) || statSync(path).mtimeMs < Date.now() - r2UnrecordedMsMax;
      if (isLeft) fs.unlinkSync(path);
    }
    collected.add(this.#directory);
  }

  async write(body: BodyContent, options: BodyWriteOptions): Promise<WrittenFile> {
    const file = randomBytes(16).toString('hex');
    const path = this.#path(file);
    const unfinished = `${path}${unfinishedMark}`;
    const open = await fs.open(unfinished, 'create');
    try {
      const read = await digestBody(body, options, (chunk, at) => open.write(chunk, at));
      await open.fdatasync();
      await fs.rename(unfinished, path);
      await fs.fsyncDirectory(this.#directory);
      return { file, ...read };
    } catch (error) {
      await fs.unlink(unfinished).catch(() => fs.unlink(path));
      throw error;
    } finally {
      open.closeSync();
    }
  }

  async read(files: readonly StoredFile[], range: ByteRange, md5?: string): Promise<BodyContent> {
    const pieces = listPieces(files, range).map((piece) => ({ ...piece, path: this.#path(piece.file) }));
    const release = holdBodies(pieces.map(({ path }) => path));
    return await readHeldBody(readPieces(pieces, md5), range.length, release);
  }

  /** Deletes files that nothing refers to any more. */
  async remove(files: readonly string[]): Promise<void> {
    for (const file of files) {
      const path = this.#path(file);
      const unlink = (): void => fs.unlinkSync(path);
      const whenUnread = (): void => void (removeLater(path, unlink) || unlink());
      if (removeAfterCopies(path, whenUnread) || removeLater(path, unlink)) continue;
      await fs.unlink(path);
    }
  }

  #path(file: string): string {
    return join(this.#directory, file);
  }
}

async function* readPieces(
  pieces: readonly (Piece & { readonly path: string })[],
  md5: string | undefined,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const digest = md5 === undefined ? undefined : createHash('md5');
  for (const { path, offset, length } of pieces) {
    const open = await fs.open(path, 'read');
    try {
      for (let at = 0; at < length; at += r2PieceBytes) {
        const chunk = new Uint8Array(Math.min(r2PieceBytes, length - at));
        const count = await open.read(chunk, offset + at);
        if (count < chunk.length) throw new Error(`${path} is shorter than the bucket has recorded`);
        digest?.update(chunk);
        yield chunk;
      }
    } finally {
      open.closeSync();
    }
  }
  if (digest !== undefined && digest.digest('hex') !== md5)
    throw new Error(`${pieces[0]!.path} is damaged: it has other bytes than were put`);
}

/** The files with the contents of a bucket, relative to the directory of `BodyFiles`; `id` is that of its object. */
export function* listBucketFiles(bucket: Pick<PastObject, 'exec'>, id: string): Generator<string> {
  // A bucket that was never used has no tables.
  const tables = bucket.exec("SELECT 1 FROM sqlite_master WHERE name = 'files'").toArray();
  if (tables.length === 0) return;
  for (const { file } of bucket.exec('SELECT file FROM files')) yield join(id, file as string);
}
