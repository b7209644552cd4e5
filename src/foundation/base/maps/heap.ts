/** A binary heap: `pop` removes the entry that comes first. */
export class Heap<Entry> {
  readonly #isBefore: (a: Entry, b: Entry) => boolean;
  readonly #entries: Entry[] = [];

  constructor(isBefore: (a: Entry, b: Entry) => boolean) {
    this.#isBefore = isBefore;
  }

  get size(): number {
    return this.#entries.length;
  }

  /** The entry that `pop` would remove. */
  get first(): Entry | undefined {
    return this.#entries[0];
  }

  /** All entries, in the order in which `pop` returns them. */
  list(): Entry[] {
    return this.#entries.toSorted((a, b) => (this.#isBefore(a, b) ? -1 : 1));
  }

  push(entry: Entry): void {
    const entries = this.#entries;
    let at = entries.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(entry, entries[parent]!)) break;
      entries[at] = entries[parent]!;
      at = parent;
    }
    entries[at] = entry;
  }

  pop(): Entry | undefined {
    const entries = this.#entries;
    const first = entries[0];
    const last = entries.pop();
    if (last === undefined || entries.length === 0) return first;
    let at = 0;
    for (let child = 1; child < entries.length; child = 2 * at + 1) {
      if (child + 1 < entries.length && this.#isBefore(entries[child + 1]!, entries[child]!)) child++;
      if (!this.#isBefore(entries[child]!, last)) break;
      entries[at] = entries[child]!;
      at = child;
    }
    entries[at] = last;
    return first;
  }
}
