/** Cuts text that arrives in pieces into lines. A line that is too long becomes several. */
import { lineCharactersMax } from './limits.ts';

export class Lines {
  readonly #take: (line: string) => void;
  #rest = '';

  constructor(take: (line: string) => void) {
    this.#take = take;
  }

  add(piece: string): void {
    const lines = (this.#rest + piece).split('\n');
    this.#rest = lines.pop()!;
    for (const line of lines) this.#take(line);
    if (this.#rest.length > lineCharactersMax) this.end();
  }

  /** Takes what is left as a line. */
  end(): void {
    const rest = this.#rest;
    this.#rest = '';
    if (rest !== '') this.#take(rest);
  }
}
