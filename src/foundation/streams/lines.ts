/** Splits text that arrives in pieces into lines, each ended by a line feed. */

export class Lines {
  readonly #charactersMax: number;
  #text = '';
  #at = 0;
  /** Whether the text after `#at` may contain a line end: the start of a long line is not searched with each piece. */
  #mayEnd = false;

  /** A longer line becomes several. */
  constructor(charactersMax = Infinity) {
    this.#charactersMax = charactersMax;
  }

  add(piece: string): void {
    this.#text = this.#text.slice(this.#at) + piece;
    this.#at = 0;
    this.#mayEnd ||= piece.includes('\n');
  }

  /** The next complete line; undefined if there is none yet. */
  next(): string | undefined {
    const end = this.#mayEnd ? this.#text.indexOf('\n', this.#at) : -1;
    this.#mayEnd = end !== -1;
    const isLong = (end === -1 ? this.#text.length : end) - this.#at > this.#charactersMax;
    if (end === -1 && !isLong) return undefined;
    const from = this.#at;
    this.#at = isLong ? from + this.#charactersMax : end + 1;
    return this.#text.slice(from, isLong ? this.#at : end);
  }

  /** The length of what is not read yet. */
  get length(): number {
    return this.#text.length - this.#at;
  }

  /** The incomplete rest, when no more text follows. */
  rest(): string {
    return this.#text.slice(this.#at);
  }
}

/** The complete lines of a stream: text after the last line end was cut off, and is dropped. */
export async function* readLines(
  pieces: AsyncIterable<string>,
  charactersMax = Infinity,
): AsyncGenerator<string, void> {
  const lines = new Lines();
  for await (const piece of pieces) {
    lines.add(piece);
    for (let line = lines.next(); line !== undefined; line = lines.next()) yield line;
    if (lines.length > charactersMax)
      throw new RangeError(`a line has more than ${charactersMax} characters`);
  }
}
