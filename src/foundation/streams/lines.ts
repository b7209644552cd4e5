/** Splits text that arrives in pieces into lines. A line that is too long becomes several. */
import { lineCharactersMax } from '../limits.ts';

export class Lines {
  #text = '';
  #at = 0;

  add(piece: string): void {
    this.#text = this.#text.slice(this.#at) + piece;
    this.#at = 0;
  }

  /** The next complete line; undefined if there is none yet. */
  next(): string | undefined {
    const end = this.#text.indexOf('\n', this.#at);
    const isLong = (end === -1 ? this.#text.length : end) - this.#at > lineCharactersMax;
    if (end === -1 && !isLong) return undefined;
    const from = this.#at;
    this.#at = isLong ? from + lineCharactersMax : end + 1;
    return this.#text.slice(from, isLong ? this.#at : end);
  }

  /** The incomplete rest, when no more text follows. */
  rest(): string {
    return this.#text.slice(this.#at);
  }
}
