/**
 * Images of databases: those of the cluster, and local scratch files of the images being written or read here. A file
 * exists only while it is read: if another process has since written an image of the same name, this one would not
 * notice.
 */
import { createReadStream } from 'node:fs';
import { type FileSystem, type OpenFile, realFileSystem } from '#files';
import type { Position } from '#journal';
import type { ImageStore } from '../history/historian.ts';
import { type ImageKind, Images, type PageSource } from '../history/images.ts';
import type { Owner } from '../ledger/records.ts';
import { imagePieceBytes } from '../limits.ts';
import type { OnProgress } from '../progress.ts';
import type { ObjectClaim } from './cluster-port.ts';

export class ClusterImages implements ImageStore {
  readonly #local: Images;
  readonly #fs: FileSystem = realFileSystem;
  readonly #claimOf: (owner: Owner) => ObjectClaim;
  /** The images that the cluster has of an object, as far as they were listed. */
  readonly #listed = new Map<Owner, Set<string>>();
  /** The local files. */
  readonly #fetched = new Map<Owner, Set<string>>();

  constructor(directory: string, claimOf: (owner: Owner) => ObjectClaim) {
    this.#local = new Images(this.#fs, directory);
    this.#claimOf = claimOf;
  }

  async write(
    owner: Owner,
    position: Position,
    kind: ImageKind,
    source: PageSource,
    onProgress?: OnProgress,
  ): Promise<void> {
    await this.#local.write(owner, position, kind, source, onProgress);
    const pieces = createReadStream(this.#local.pathOf(owner, position, kind), {
      highWaterMark: imagePieceBytes,
    }) as AsyncIterable<Buffer>;
    try {
      await this.#claimOf(owner).writeImage({ position, kind }, pieces);
    } finally {
      await this.#local.remove(owner, position, kind);
    }
    this.#listed.get(owner)?.add(nameOf(position, kind));
  }

  async remove(owner: Owner, position: Position, kind: ImageKind): Promise<void> {
    await this.#claimOf(owner).removeImage({ position, kind });
    this.#listed.get(owner)?.delete(nameOf(position, kind));
  }

  /** Fetches an image to a local file. */
  async fetch(owner: Owner, claim: ObjectClaim, position: Position, kind: ImageKind): Promise<void> {
    const path = this.#local.pathOf(owner, position, kind);
    const fetched = this.#fetched.get(owner) ?? new Set();
    if (fetched.has(path)) return;
    this.#fs.mkdirSync(path.slice(0, path.lastIndexOf('/')));
    const unfinished = `${path}.tmp`;
    let file: OpenFile | undefined;
    try {
      let at = 0;
      for await (const piece of claim.readImage({ position, kind })) {
        file ??= this.#fs.openSync(unfinished, 'create');
        file.writeSync(piece, at);
        at += piece.length;
      }
      // The reader of a missing image reports it.
      if (file === undefined) return;
      await this.#fs.rename(unfinished, path);
      this.#fetched.set(owner, fetched.add(path));
    } catch (error) {
      if (file !== undefined) this.#fs.unlinkSync(unfinished);
      throw error;
    } finally {
      file?.closeSync();
    }
  }

  /** Lists the images that the cluster has of an object, for `has` and `basesOf`. */
  async list(owner: Owner, claim: ObjectClaim): Promise<void> {
    const images = await claim.listImages();
    this.#listed.set(owner, new Set(images.map(({ position, kind }) => nameOf(position, kind))));
  }

  has(owner: Owner, position: Position, kind: ImageKind): boolean {
    return this.#listed.get(owner)?.has(nameOf(position, kind)) === true;
  }

  basesOf(owner: Owner): Position[] {
    const names = [...(this.#listed.get(owner) ?? [])].filter((name) => name.startsWith('base '));
    return names.map((name) => Number(name.slice('base '.length)) as Position);
  }

  read(owner: Owner, position: Position, kind: ImageKind): Generator<ReadonlyMap<number, Uint8Array>, void> {
    return this.#local.read(owner, position, kind);
  }

  pageCount(owner: Owner, position: Position, kind: ImageKind): number {
    return this.#local.pageCount(owner, position, kind);
  }

  /** The images of this object are no longer being read. */
  forget(owner: Owner): void {
    this.#listed.delete(owner);
    for (const path of this.#fetched.get(owner) ?? []) this.#fs.unlinkSync(path);
    this.#fetched.delete(owner);
  }
}

function nameOf(position: Position, kind: string): string {
  return `${kind} ${position}`;
}
