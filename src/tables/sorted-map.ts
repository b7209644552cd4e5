/**
 * A map from binary strings to values in the order of its keys, in memory. The keys lie in chunks of at
 * most 256, so that an insertion moves little; a lookup is two binary searches.
 *
 * A walk sees the map as it was when the walk began. It shares the chunks with the map, which from then on
 * clones one before it changes it: the reader may take its time while the map goes on.
 */
const chunkKeysMax = 256;

interface Chunk<V> {
  readonly keys: string[];
  readonly values: V[];
  /** The map's epoch at birth: an older chunk may belong to a snapshot. */
  readonly epoch: number;
}

/** The first place in `keys` whose key is not smaller than `key`. */
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
function chunkOf(chunks: ReadonlyArray<Chunk<unknown>>, key: string): number {
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
    const chunk = this.#chunks[chunkOf(this.#chunks, key)];
    if (chunk === undefined) return undefined;
    const place = lowerBound(chunk.keys, key);
    return chunk.keys[place] === key ? chunk.values[place] : undefined;
  }

  /** Answers the value that was there before. */
  set(key: string, value: V): V | undefined {
    if (this.#chunks.length === 0) this.#chunks = [{ keys: [], values: [], epoch: this.#epoch }];
    const index = chunkOf(this.#chunks, key);
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

  /** Removes the keys from `lower` (inclusive) to `upper` (exclusive), showing each to `onRemoved`. */
  removeRange(lower: string, upper: string, onRemoved: (key: string, value: V) => void): void {
    let index = chunkOf(this.#chunks, lower);
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

  /** A place in the map as it is now, before its first key. */
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

  /** Splits in halves, or just opens a fresh chunk when keys arrive in ascending order. */
  #split(index: number, chunk: Chunk<V>, place: number): void {
    const at = place === chunkKeysMax ? chunkKeysMax : chunkKeysMax >>> 1;
    const tail = { keys: chunk.keys.splice(at), values: chunk.values.splice(at), epoch: this.#epoch };
    this.#ownChunks().splice(index + 1, 0, tail);
  }
}

/** A movable place in a snapshot of a map. `key` is undefined before the first and behind the last key. */
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
    this.#chunk = chunkOf(this.#chunks, key);
    const keys = this.#chunks[this.#chunk]?.keys ?? [];
    this.#place = lowerBound(keys, key) - 1;
    this.forward();
  }

  forward(): void {
    this.#place += 1;
    if (this.#place < (this.#chunks[this.#chunk]?.keys.length ?? 0)) return;
    this.#chunk += 1;
    this.#place = 0;
  }

  back(): void {
    this.#place -= 1;
    if (this.#place >= 0) return;
    this.#chunk -= 1;
    this.#place = (this.#chunks[this.#chunk]?.keys.length ?? 0) - 1;
  }
}
