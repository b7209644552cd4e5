/**
 * Whole databases in files: snapshots, which let a restore start near its target, and bases, from which a database
 * starts over after a restore or an import.
 *
 * `images/<first two digits of the id>/<class>-<id>-<position>.<snapshot|base>`:
 *
 * ```
 *   0   8  "GHIMAGE1"
 *   8   4  format version, 1
 *  12   4  crc32 of bytes 16 … 64
 *  16   8  position, as a double: of the last record in it (snapshot), or what its `base` section calls it (base)
 *  24   4  page count
 *  28  34  the object
 *  62   2  zeros
 *  64   …  blocks: length (4), crc32 (4), page images (page-images.ts) in ascending order; the last has none
 * ```
 *
 * A file is written under a temporary name, synced, renamed, and only then named by a record.
 */
import { crc32 } from 'node:zlib';
import { type FileSystem, type OpenFile, makeDirectory } from '#files';
import { nextTurn } from '#work';
import { type Position, formatPosition, parsePosition } from '#journal';
import { decodePages, encodePages } from '../pages/page-images.ts';
import type { OnProgress } from '../progress.ts';
import { pageBytes } from '#sqlite';
import { type Owner, decodeOwner, encodeOwner } from '../ledger/records.ts';

export type ImageKind = 'snapshot' | 'base';

const imageName = /^(\d+)-([0-9a-f]{64})-([0-9a-f]{16})\.(snapshot|base)$/;
const headerBytes = 64;
const magic = Buffer.from('GHIMAGE1');
const version = 1;
export const blockPages = 64;
const blockBytesMax = blockPages * 5000;

export class ImageDamageError extends Error {
  override readonly name = 'ImageDamageError';
  readonly code: 'IMAGE_DAMAGED' | 'IMAGE_MISSING' = 'IMAGE_DAMAGED';
  readonly file: string;
  readonly offset: number;
  /** What is wrong, without the location. */
  readonly problem: string;

  constructor(problem: string, file: string, offset: number) {
    super(`cannot read a database image, ${problem}: ${file} at byte ${offset}. ${repairHint}`);
    this.file = file;
    this.offset = offset;
    this.problem = problem;
  }
}

const repairHint = 'gatehouse objects repair rebuilds what the log still holds';

/** A file that a record refers to is missing. */
export class ImageMissingError extends ImageDamageError {
  override readonly code = 'IMAGE_MISSING';

  constructor(file: string) {
    super('the file is missing', file, 0);
  }
}

/** A database that can be read page by page, in ascending order and in pieces. */
export interface PageSource {
  readonly pageCount: number;
  blocks(): Iterable<ReadonlyMap<number, Uint8Array>>;
}

export class Images {
  readonly #fs: FileSystem;
  readonly #directory: string;
  /** Folders in which files were created since the folders' own names were last synced. */
  readonly #shards = new Set<string>();

  constructor(fs: FileSystem, directory: string) {
    this.#fs = fs;
    this.#directory = directory;
    makeDirectory(directory, fs);
  }

  /** Writes an image and makes it durable, yielding the event loop between blocks. */
  async write(
    owner: Owner,
    position: Position,
    kind: ImageKind,
    source: PageSource,
    onProgress?: OnProgress,
  ): Promise<void> {
    const path = this.pathOf(owner, position, kind);
    const shard = path.slice(0, path.lastIndexOf('/'));
    await this.#makeShard(shard);
    const temporary = `${path}.tmp`;
    this.#removeIfThere(temporary);
    const file = await this.#fs.open(temporary, 'create');
    this.#shards.add(shard);
    try {
      await file.write(encodeHeader(owner, position, source.pageCount), 0);
      let at = headerBytes;
      const memory = Buffer.allocUnsafeSlow(blockHeadBytes + blockBytesMax);
      for (const pages of source.blocks()) {
        const block = encodeBlock(source.pageCount, pages, memory);
        await file.write(block, at);
        at += block.length;
        const [last = 0] = [...pages.keys()].slice(-1);
        onProgress?.({ step: 'writing', done: last * pageBytes, total: source.pageCount * pageBytes });
      }
      await file.write(encodeBlock(source.pageCount, new Map(), memory), at);
      await file.fdatasync();
      await this.#fs.rename(temporary, path);
    } catch (error) {
      // On a full disk, an incomplete file must not take up the last of the space.
      this.#removeIfThere(temporary);
      throw error;
    } finally {
      file.closeSync();
    }
    await this.#fs.fsyncDirectory(shard);
  }

  /** Reads an image; every block is checked before it is yielded. */
  *read(owner: Owner, position: Position, kind: ImageKind): Generator<ReadonlyMap<number, Uint8Array>, void> {
    const file = this.#open(owner, position, kind);
    try {
      readHeader(file, owner, position);
      const size = file.sizeSync();
      // One buffer for all encoded blocks: a new one for each would pile up faster than it is collected.
      const memory = Buffer.allocUnsafeSlow(Math.min(size, blockBytesMax));
      for (let at = headerBytes; ;) {
        const { pages, end } = readBlock(file, at, memory);
        if (pages.size === 0 && end === size) return;
        yield pages;
        at = end;
      }
    } finally {
      file.closeSync();
    }
  }

  has(owner: Owner, position: Position, kind: ImageKind): boolean {
    try {
      this.#fs.openSync(this.pathOf(owner, position, kind), 'read').closeSync();
      return true;
    } catch (error) {
      if (!isMissing(error)) throw error;
      return false;
    }
  }

  pageCount(owner: Owner, position: Position, kind: ImageKind): number {
    const file = this.#open(owner, position, kind);
    try {
      return readHeader(file, owner, position);
    } finally {
      file.closeSync();
    }
  }

  async remove(owner: Owner, position: Position, kind: ImageKind): Promise<void> {
    try {
      await this.#fs.unlink(this.pathOf(owner, position, kind));
    } catch (error) {
      // The file may already have been removed by another task.
      if (!isMissing(error)) throw error;
    }
  }

  /** The bytes of an image as they are, whether it is complete or not. */
  readRaw(owner: Owner, position: Position, kind: ImageKind): Buffer {
    const file = this.#open(owner, position, kind);
    try {
      const bytes = Buffer.alloc(file.sizeSync());
      return bytes.subarray(0, file.readSync(bytes, 0));
    } finally {
      file.closeSync();
    }
  }

  /** Stores bytes that are not a whole image under an image's name: they are reported as damaged, not as missing. */
  async keepDamaged(owner: Owner, position: Position, kind: ImageKind, bytes: Uint8Array): Promise<void> {
    const path = this.pathOf(owner, position, kind);
    await this.#makeShard(path.slice(0, path.lastIndexOf('/')));
    const file = await this.#fs.open(path, 'create');
    try {
      await file.write(bytes, 0);
      await file.fdatasync();
    } finally {
      file.closeSync();
    }
  }

  /** Renames a damaged image, so that another can be written in its place and none of its bytes are lost. */
  async setAside(owner: Owner, position: Position, kind: ImageKind): Promise<void> {
    const path = this.pathOf(owner, position, kind);
    await this.#fs.rename(path, `${path}.damaged`);
  }

  /** Reads every image, a block at a time, and reports what is broken. */
  async *scrub(
    onBytes: (bytes: number) => void = () => {},
  ): AsyncGenerator<{ file: string; offset: number; problem: string }> {
    for (const { name } of this.list()) {
      const match = imageName.exec(name)!;
      const owner = encodeOwner(Number(match[1]), match[2]!);
      const place = [owner, parsePosition(match[3]!)!, match[4] as ImageKind] as const;
      try {
        await this.check(...place, onBytes);
      } catch (error) {
        if (!(error instanceof ImageDamageError)) throw error;
        // Superseded meanwhile; whether a record refers to it is checked elsewhere.
        if (error instanceof ImageMissingError) continue;
        yield { file: error.file, offset: error.offset, problem: error.problem };
      }
    }
  }

  /** Reads a whole image, yielding the event loop between blocks. Throws if it is broken. */
  async check(
    owner: Owner,
    position: Position,
    kind: ImageKind,
    onBytes: (bytes: number) => void = () => {},
  ): Promise<void> {
    for (const pages of this.read(owner, position, kind)) {
      onBytes(pages.size * pageBytes);
      await nextTurn();
    }
  }

  /** Lists the image files. */
  *list(): Generator<{ readonly shard: string; readonly name: string; readonly position: Position }> {
    for (const folder of this.#fs.readdirSync(this.#directory)) {
      const shard = `${this.#directory}/${folder}`;
      for (const name of this.#fs.readdirSync(shard)) {
        const match = imageName.exec(name);
        if (match !== null) yield { shard, name, position: parsePosition(match[3]!)! };
      }
    }
  }

  /** The bytes of all image files. */
  measure(): number {
    let bytes = 0;
    for (const { shard, name } of this.list()) bytes += this.sizeOf(`${shard}/${name}`);
    return bytes;
  }

  /** The length of a file; zero if it was removed meanwhile. */
  sizeOf(path: string): number {
    try {
      const file = this.#fs.openSync(path, 'read');
      const bytes = file.sizeSync();
      file.closeSync();
      return bytes;
    } catch (error) {
      if (!isMissing(error)) throw error;
      return 0;
    }
  }

  /** The positions of an object's base images. */
  basesOf(owner: Owner): Position[] {
    const { idHex } = decodeOwner(owner);
    const prefix = `${ownerText(owner)}-`;
    const shard = idHex.slice(0, 2);
    if (!this.#fs.readdirSync(this.#directory).includes(shard)) return [];
    const names = this.#fs.readdirSync(`${this.#directory}/${shard}`);
    return names
      .filter((name) => name.startsWith(prefix) && name.endsWith('.base'))
      .map((name) => parsePosition(name.slice(prefix.length, -'.base'.length)))
      .filter((position) => position !== undefined);
  }

  /** The total size of the images of an object. */
  measureOf(owner: Owner): number {
    const shard = `${this.#directory}/${decodeOwner(owner).idHex.slice(0, 2)}`;
    if (!this.#fs.readdirSync(this.#directory).includes(shard.slice(-2))) return 0;
    const prefix = `${ownerText(owner)}-`;
    const names = this.#fs.readdirSync(shard).filter((each) => each.startsWith(prefix));
    return names.reduce((bytes, name) => bytes + this.sizeOf(`${shard}/${name}`), 0);
  }

  pathOf(owner: Owner, position: Position, kind: ImageKind): string {
    const { idHex } = decodeOwner(owner);
    return `${this.#directory}/${idHex.slice(0, 2)}/${ownerText(owner)}-${formatPosition(position)}.${kind}`;
  }

  #open(owner: Owner, position: Position, kind: ImageKind): OpenFile {
    const path = this.pathOf(owner, position, kind);
    try {
      return this.#fs.openSync(path, 'read');
    } catch (error) {
      if (!isMissing(error)) throw error;
      throw new ImageMissingError(path);
    }
  }

  async #makeShard(shard: string): Promise<void> {
    if (this.#shards.has(shard)) return;
    this.#fs.mkdirSync(shard);
    await this.#fs.fsyncDirectory(this.#directory);
  }

  #removeIfThere(path: string): void {
    try {
      this.#fs.unlinkSync(path);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** An object in file names: class number and id. */
export function ownerText(owner: Owner): string {
  const { classNumber, idHex } = decodeOwner(owner);
  return `${classNumber}-${idHex}`;
}

function encodeHeader(owner: Owner, position: Position, pageCount: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  magic.copy(header);
  header.writeUInt32LE(version, 8);
  header.writeDoubleLE(position, 16);
  header.writeUInt32LE(pageCount, 24);
  header.write(owner, 28, 'latin1');
  header.writeUInt32LE(crc32(header.subarray(16)), 12);
  return header;
}

function readHeader(file: OpenFile, owner: Owner, position: Position): number {
  const header = Buffer.alloc(headerBytes);
  const got = file.readSync(header, 0);
  if (got < headerBytes) throw new ImageDamageError('its header is cut short', file.path, got);
  const pageCount = header.readUInt32LE(24);
  if (header.compare(encodeHeader(owner, position, pageCount)) !== 0) {
    throw new ImageDamageError('its header is wrong', file.path, 0);
  }
  return pageCount;
}

const blockHeadBytes = 8;

/** Encodes into this memory, which is used again for the next block. */
function encodeBlock(pageCount: number, pages: ReadonlyMap<number, Uint8Array>, memory: Buffer): Buffer {
  const place = memory.subarray(blockHeadBytes);
  const body = encodePages({ pageCount, pages }, (bytes) => place.subarray(0, bytes));
  memory.writeUInt32LE(body.length);
  memory.writeUInt32LE(crc32(body), 4);
  return memory.subarray(0, blockHeadBytes + body.length);
}

function readBlock(
  file: OpenFile,
  at: number,
  memory: Buffer,
): { pages: ReadonlyMap<number, Uint8Array>; end: number } {
  const head = Buffer.alloc(8);
  const length = file.readSync(head, at) === 8 ? head.readUInt32LE() : 0;
  if (length === 0 || length > memory.length)
    throw new ImageDamageError('a block has no length', file.path, at);
  const body = memory.subarray(0, length);
  const got = file.readSync(body, at + 8);
  if (got < length || crc32(body) !== head.readUInt32LE(4)) {
    throw new ImageDamageError('a block is broken', file.path, at);
  }
  return { pages: decodePages(body).pages, end: at + 8 + length };
}
