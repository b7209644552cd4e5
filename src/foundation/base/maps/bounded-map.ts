/**
 * A cache that is emptied when it is full: as fast to read as a Map, and never larger than `max`. Where the order of use
 * matters, take RecentMap.
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #max: number;

  constructor(max: number) {
    super();
    this.#max = max;
  }

  override set(key: Key, value: Value): this {
    if (this.size >= this.#max && !this.has(key)) this.clear();
    return super.set(key, value);
  }
}
