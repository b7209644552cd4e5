/**
 * A position that moves through the source. There are no tokens: the original matches prefixes, so `80or ssl` and
 * `notssl` are what they are, and every piece of the parser reads characters from here.
 */
import type { DiagnosticCode } from '../diagnostic.ts';
import type { Span } from '../ast.ts';

/** The first thing wrong with an expression. It never leaves the room: `parse` answers with it. */
export class Refusal extends Error {
  readonly code: DiagnosticCode;
  readonly span: Span;
  readonly hint: string | undefined;

  constructor(code: DiagnosticCode, message: string, span: Span, hint?: string) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.span = span;
    this.hint = hint;
  }
}

export class Reader {
  readonly source: string;
  /** Where the trimmed source ends. */
  readonly end: number;
  position: number;

  constructor(source: string) {
    const { start, end } = trimmed(source);
    this.source = source;
    this.end = end;
    this.position = start;
  }

  get isAtEnd(): boolean {
    return this.position >= this.end;
  }

  /** The character here; the empty string at the end. */
  peek(offset = 0): string {
    const index = this.position + offset;
    return index < this.end ? this.source[index]! : '';
  }

  startsWith(text: string): boolean {
    return this.source.startsWith(text, this.position) && this.position + text.length <= this.end;
  }

  /** Steps over the text if it is here. */
  accept(text: string): boolean {
    if (!this.startsWith(text)) return false;
    this.position += text.length;
    return true;
  }

  /** Steps over the text or refuses, as the original words it. */
  expect(text: string): void {
    if (!this.accept(text)) throw this.refuse('expected_literal', `expected literal "${text}"`);
  }

  /** Spaces and line ends. A tab is not one. */
  skipSpace(): void {
    while (this.position < this.end) {
      const code = this.source.charCodeAt(this.position);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d) return;
      this.position++;
    }
  }

  /** The longest run here of what a sticky pattern matches; empty if there is none. */
  takeRun(pattern: RegExp): string {
    pattern.lastIndex = this.position;
    // Only white space was trimmed, and no pattern of a run matches that.
    const run = pattern.exec(this.source)?.[0] ?? '';
    this.position += run.length;
    return run;
  }

  /** So many characters, or fewer if the source ends before. */
  takeCharacters(count: number): string {
    const start = this.position;
    for (let taken = 0; taken < count && this.position < this.end; taken++) {
      this.position += this.source.codePointAt(this.position)! > 0xffff ? 2 : 1;
    }
    return this.source.slice(start, this.position);
  }

  spanFrom(start: number): Span {
    return { start, end: this.position };
  }

  /** From a place to the end: many errors of the original carry all that is left. */
  restFrom(start: number): Span {
    return { start, end: this.end };
  }

  /** A refusal of everything from here on. */
  refuse(code: DiagnosticCode, message: string, span: Span = this.restFrom(this.position)): Refusal {
    return new Refusal(code, message, span);
  }
}

/** Unicode's `White_Space`; `trim` of JavaScript has another idea of U+0085 and U+FEFF. */
const spacePattern = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

function trimmed(source: string): Span {
  let start = 0;
  let end = source.length;
  while (start < end && spacePattern.test(source[start]!)) start++;
  while (end > start && spacePattern.test(source[end - 1]!)) end--;
  return { start, end };
}
