/** The WHERE clause of a list query: all conditions must hold, and a condition whose value is undefined is left out. */
export class Conditions {
  readonly #parts: string[] = [];
  readonly values: (string | number)[] = [];

  /** `part` contains one question mark, for the value. */
  add(part: string, value: string | number | boolean | undefined): this {
    if (value === undefined) return this;
    this.#parts.push(part);
    this.values.push(typeof value === 'boolean' ? Number(value) : value);
    return this;
  }

  /** Adds a condition that has no value. */
  addFixed(part: string): this {
    this.#parts.push(part);
    return this;
  }

  get where(): string {
    return this.#parts.length === 0 ? '' : `WHERE ${this.#parts.join(' AND ')}`;
  }
}
