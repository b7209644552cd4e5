/**
 * A sorted map from binary strings to values, in memory. The keys are in chunks of at most 256, so that an insertion moves
 * few of them; a lookup is two binary searches.
 *
 * A walk sees the map as it was when the walk began. It shares the chunks with the map, which from then on clones a chunk
 * before changing it, so a slow reader does not block the map.
 */
const chunkKeysMax = 256;

interface Chunk<V> {
  readonly keys: string[];
  readonly values: V[];
  /** The map's epoch when the chunk was created: an older chunk may belong to a snapshot. */
  readonly epoch: number;
}

/** The first index in `keys` whose key is not smaller than `key`. */
export function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last chunk whose first key is not larger than `key`, or the first chunk. */
function findChunk(chunks: ReadonlyArray<Chunk<unknown>>, key: string): number {
  let low = 0;
  let high = chunks.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (chunks[middle]!.keys[0]! <= key) low = middle;
    else high = middle;
  }
  return low;
}

export class SortedMap<V> {
  #chunks: Array<Chunk<V>> = [];
  #size = 0;
  #epoch = 0;
  #shared = false;

  get size(): number {
    return this.#size;
  }

  get(key: string): V | undefined {
    const chunk = this.#chunks[findChunk(this.#chunks, key)];
    if (chunk === undefined) return undefined;
    const place = lowerBound(chunk.keys, key);
    return chunk.keys[place] === key ? chunk.values[place] : undefined;
  }

  /** Returns the previous value. */
  set(key: string, value: V): V | undefined {
    if (this.#chunks.length === 0) this.#chunks = [{ keys: [], values: [], epoch: this.#epoch }];
    const index = findChunk(this.#chunks, key);
    const chunk = this.#own(index);
    const place = lowerBound(chunk.keys, key);
    if (chunk.keys[place] === key) {
      const before = chunk.values[place];
      chunk.values[place] = value;
      return before;
    }
    chunk.keys.splice(place, 0, key);
    chunk.values.splice(place, 0, value);
    this.#size += 1;
    if (chunk.keys.length > chunkKeysMax) this.#split(index, chunk, place);
    return undefined;
  }

  /** Removes the keys from `lower` (inclusive) to `upper` (exclusive), and passes each to `onRemoved`. */
  removeRange(lower: string, upper: string, onRemoved: (key: string, value: V) => void): void {
    let index = findChunk(this.#chunks, lower);
    while (index < this.#chunks.length && this.#chunks[index]!.keys[0]! < upper) {
      const seen = this.#chunks[index]!;
      const from = lowerBound(seen.keys, lower);
      const to = lowerBound(seen.keys, upper);
      for (let place = from; place < to; place++) onRemoved(seen.keys[place]!, seen.values[place]!);
      this.#size -= to - from;
      if (to - from === seen.keys.length) {
        this.#ownChunks().splice(index, 1);
        continue;
      }
      if (to > from) {
        const chunk = this.#own(index);
        chunk.keys.splice(from, to - from);
        chunk.values.splice(from, to - from);
      }
      index += 1;
    }
  }

  /** A walk over the map as it is now, before its first key. */
  walk(): SortedWalk<V> {
    this.#shared = true;
    this.#epoch += 1;
    return new SortedWalk(this.#chunks);
  }

  #ownChunks(): Array<Chunk<V>> {
    if (this.#shared) {
      this.#chunks = this.#chunks.slice();
      this.#shared = false;
    }
    return this.#chunks;
  }

  #own(index: number): Chunk<V> {
    const chunk = this.#chunks[index]!;
    if (chunk.epoch === this.#epoch) return chunk;
    const clone = { keys: chunk.keys.slice(), values: chunk.values.slice(), epoch: this.#epoch };
    this.#ownChunks()[index] = clone;
    return clone;
  }

  /** Splits in halves, or opens a new chunk when keys arrive in ascending order. */
  #split(index: number, chunk: Chunk<V>, place: number): void {
    const at = place === chunkKeysMax ? chunkKeysMax : chunkKeysMax >>> 1;
    const tail = { keys: chunk.keys.splice(at), values: chunk.values.splice(at), epoch: this.#epoch };
    this.#ownChunks().splice(index + 1, 0, tail);
  }
}

/** A movable position in a snapshot of a map. `key` is undefined before the first and after the last key. */
export class SortedWalk<V> {
  readonly #chunks: ReadonlyArray<Chunk<V>>;
  #chunk = 0;
  #place = -1;

  constructor(chunks: ReadonlyArray<Chunk<V>>) {
    this.#chunks = chunks;
  }

  get key(): string | undefined {
    return this.#chunks[this.#chunk]?.keys[this.#place];
  }

  get value(): V | undefined {
    return this.#chunks[this.#chunk]?.values[this.#place];
  }

  /** Moves to the first key that is not smaller than `key`. */
  seek(key: string): void {
    this.#chunk = findChunk(this.#chunks, key);
    const keys = this.#chunks[this.#chunk]?.keys ?? [];
    this.#place = lowerBound(keys, key) - 1;
    this.moveForward();
  }

  moveForward(): void {
    this.#place += 1;
    if (this.#place < (this.#chunks[this.#chunk]?.keys.length ?? 0)) return;
    this.#chunk += 1;
    this.#place = 0;
  }

  moveBack(): void {
    this.#place -= 1;
    if (this.#place >= 0) return;
    this.#chunk -= 1;
    this.#place = (this.#chunks[this.#chunk]?.keys.length ?? 0) - 1;
  }
}
