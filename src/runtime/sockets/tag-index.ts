/** The holders of each tag, in the order in which they got it. Most tags have one, which is stored without a set. */
export class TagIndex<T extends object> {
  readonly #holders = new Map<string, T | Set<T>>();

  add(holder: T, tags: readonly string[]): void {
    for (const tag of tags) {
      const present = this.#holders.get(tag);
      if (present === undefined) this.#holders.set(tag, holder);
      else if (present instanceof Set) present.add(holder);
      else this.#holders.set(tag, new Set([present, holder]));
    }
  }

  delete(holder: T, tags: readonly string[]): void {
    for (const tag of tags) {
      const present = this.#holders.get(tag);
      if (present === holder) this.#holders.delete(tag);
      else if (present instanceof Set && present.delete(holder) && present.size === 0)
        this.#holders.delete(tag);
    }
  }

  find(tag: string): T[] {
    const present = this.#holders.get(tag);
    if (present === undefined) return [];
    return present instanceof Set ? [...present] : [present];
  }

  clear(): void {
    this.#holders.clear();
  }
}
