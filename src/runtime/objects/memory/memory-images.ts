/** Images of databases, in memory. */
import { assert } from '#base';
import type { Position } from '#journal';
import type { ImageStore } from '../history/historian.ts';
import type { ImageKind, PageSource } from '../history/images.ts';
import type { Owner } from '../ledger/records.ts';

interface Image {
  readonly position: Position;
  readonly pageCount: number;
  readonly blocks: ReadonlyArray<ReadonlyMap<number, Uint8Array>>;
}

export class MemoryImages implements ImageStore {
  readonly #images = new Map<string, Image>();

  clear(): void {
    this.#images.clear();
  }

  async write(owner: Owner, position: Position, kind: ImageKind, source: PageSource): Promise<void> {
    const blocks = Array.from(
      source.blocks(),
      (pages) => new Map(Array.from(pages, ([number, bytes]) => [number, Uint8Array.from(bytes)])),
    );
    this.#images.set(keyOf(owner, kind, position), { position, pageCount: source.pageCount, blocks });
  }

  *read(owner: Owner, position: Position, kind: ImageKind): Generator<ReadonlyMap<number, Uint8Array>, void> {
    yield* this.#find(owner, position, kind).blocks;
  }

  has(owner: Owner, position: Position, kind: ImageKind): boolean {
    return this.#images.has(keyOf(owner, kind, position));
  }

  pageCount(owner: Owner, position: Position, kind: ImageKind): number {
    return this.#find(owner, position, kind).pageCount;
  }

  async remove(owner: Owner, position: Position, kind: ImageKind): Promise<void> {
    this.#images.delete(keyOf(owner, kind, position));
  }

  basesOf(owner: Owner): Position[] {
    const prefix = keyOf(owner, 'base', '');
    return [...this.#images].filter(([key]) => key.startsWith(prefix)).map(([, { position }]) => position);
  }

  #find(owner: Owner, position: Position, kind: ImageKind): Image {
    const image = this.#images.get(keyOf(owner, kind, position));
    assert(image !== undefined, 'an image that is read was written');
    return image;
  }
}

function keyOf(owner: Owner, kind: ImageKind, position: Position | ''): string {
  return `${owner}${kind}-${position}`;
}
