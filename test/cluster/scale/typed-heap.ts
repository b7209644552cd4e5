/** Future events, ordered by time. They are stored in typed arrays, because there may be millions. */
export class TypedHeap {
  #times = new Float64Array(1_024);
  #values = new Int32Array(1_024);
  #since = new Float64Array(1_024);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The time of the next one. */
  get nextAt(): number {
    return this.#size === 0 ? Number.POSITIVE_INFINITY : this.#times[0]!;
  }

  push(at: number, value: number, since: number): void {
    if (this.#size === this.#times.length) this.#grow();
    let index = this.#size++;
    while (index > 0) {
      const above = (index - 1) >> 1;
      if (this.#times[above]! <= at) break;
      this.#move(above, index);
      index = above;
    }
    this.#set(index, at, value, since);
  }

  /** The first event, and the time since which it has been waited for. */
  pop(): { readonly value: number; readonly since: number } {
    const first = { value: this.#values[0]!, since: this.#since[0]! };
    const last = --this.#size;
    const at = this.#times[last]!;
    let index = 0;
    for (let below = 1; below < last; below = 2 * index + 1) {
      if (below + 1 < last && this.#times[below + 1]! < this.#times[below]!) below++;
      if (at <= this.#times[below]!) break;
      this.#move(below, index);
      index = below;
    }
    this.#set(index, at, this.#values[last]!, this.#since[last]!);
    return first;
  }

  #set(index: number, at: number, value: number, since: number): void {
    this.#times[index] = at;
    this.#values[index] = value;
    this.#since[index] = since;
  }

  #move(from: number, to: number): void {
    this.#set(to, this.#times[from]!, this.#values[from]!, this.#since[from]!);
  }

  #grow(): void {
    const length = 2 * this.#times.length;
    const grow = <T extends Float64Array | Int32Array>(target: T, source: T): T => {
      target.set(source);
      return target;
    };
    this.#times = grow(new Float64Array(length), this.#times);
    this.#values = grow(new Int32Array(length), this.#values);
    this.#since = grow(new Float64Array(length), this.#since);
  }
}
