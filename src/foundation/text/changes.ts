/** A text with some ranges removed or replaced, given in order; the rest is kept. */
export class Changes {
  readonly #text: string;
  #kept = '';
  #from = 0;

  constructor(text: string) {
    this.#text = text;
  }

  replace(start: number, end: number, by: string): void {
    this.#kept += this.#text.slice(this.#from, start) + by;
    this.#from = end;
  }

  get result(): string {
    return this.#kept + this.#text.slice(this.#from);
  }
}
