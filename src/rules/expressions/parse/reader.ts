/**
 * A position in the source that advances during parsing. There are no tokens: wirefilter matches prefixes, so
 * `80or ssl` and `notssl` are valid, and every part of the parser reads characters from here.
 */
import type { DiagnosticCode } from '../diagnostic.ts';
import type { Span } from '../ast.ts';

/** The first problem of an expression. It is only used inside the room: `parse` converts it into a diagnostic. */
export class ParseRefusal extends Error {
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

export class SourceReader {
  readonly source: string;
  /** The end of the trimmed source. */
  readonly end: number;
  position: number;

  constructor(source: string) {
    const { start, end } = trimSource(source);
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

  /** Skips the text if it is here. */
  accept(text: string): boolean {
    if (!this.startsWith(text)) return false;
    this.position += text.length;
    return true;
  }

  /** Skips the text, or refuses with wirefilter's message. */
  expect(text: string): void {
    if (!this.accept(text)) throw this.refuse('expected_literal', `expected literal "${text}"`);
  }

  /** Skips spaces and line ends. A tab is not white space here. */
  skipSpace(): void {
    while (this.position < this.end) {
      const code = this.source.charCodeAt(this.position);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d) return;
      this.position++;
    }
  }

  /** The longest text here that a sticky pattern matches; empty if it does not match. */
  takeRun(pattern: RegExp): string {
    pattern.lastIndex = this.position;
    // Only white space was trimmed, and no pattern of a run matches white space.
    const run = pattern.exec(this.source)?.[0] ?? '';
    this.position += run.length;
    return run;
  }

  /** Reads this many characters, or fewer at the end of the source. */
  takeCharacters(count: number): string {
    const start = this.position;
    for (let taken = 0; taken < count && this.position < this.end; taken++) {
      this.position += this.source.codePointAt(this.position)! > 0xffff ? 2 : 1;
    }
    return this.source.slice(start, this.position);
  }

  getSpanFrom(start: number): Span {
    return { start, end: this.position };
  }

  /** The span from a position to the end: many of wirefilter's errors point at the rest of the text. */
  getRestFrom(start: number): Span {
    return { start, end: this.end };
  }

  /** Creates a refusal at the current position by default. */
  refuse(code: DiagnosticCode, message: string, span: Span = this.getRestFrom(this.position)): ParseRefusal {
    return new ParseRefusal(code, message, span);
  }
}

/** Unicode's `White_Space`; JavaScript's `trim` differs for U+0085 and U+FEFF. */
const spacePattern = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

function trimSource(source: string): Span {
  let start = 0;
  let end = source.length;
  while (start < end && spacePattern.test(source[start]!)) start++;
  while (end > start && spacePattern.test(source[end - 1]!)) end--;
  return { start, end };
}
