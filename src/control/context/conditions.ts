/** What a list is asked for, as SQL: every condition has to hold, and one without a value asks for nothing. */
export class Conditions {
  readonly #parts: string[] = [];
  readonly values: (string | number)[] = [];

  /** `part` has one question mark for the value. */
  add(part: string, value: string | number | boolean | undefined): this {
    if (value === undefined) return this;
    this.#parts.push(part);
    this.values.push(typeof value === 'boolean' ? Number(value) : value);
    return this;
  }

  /** A condition that needs no value. */
  state(part: string): this {
    this.#parts.push(part);
    return this;
  }

  get where(): string {
    return this.#parts.length === 0 ? '' : `WHERE ${this.#parts.join(' AND ')}`;
  }
}
