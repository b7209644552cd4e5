import { type ByteSet, digits, space, wordBytes } from './byte-set.ts';
import { type PatternSpan, SyntaxProblem } from './pattern-error.ts';
import type { WordAssertion } from './tree.ts';

/** The meaning of one escape, or one plain character. */
export type Primitive = PatternSpan &
  (
    | { readonly kind: 'character'; readonly codePoint: number }
    | { readonly kind: 'byte'; readonly byte: number }
    | { readonly kind: 'set'; readonly set: ByteSet; readonly letter: string }
    | { readonly kind: 'assertion'; readonly assertion: 'start' | 'end' | WordAssertion }
    | { readonly kind: 'unicode-class'; readonly name: string; readonly isNegated: boolean }
  );

const metaCharacters = new Set('\\.+*?()|[]{}^$#&-~');
const controls = new Map([
  ['a', 0x07],
  ['f', 0x0c],
  ['n', 0x0a],
  ['r', 0x0d],
  ['t', 0x09],
  ['v', 0x0b],
]);
const perlClasses = new Map([
  ['d', digits],
  ['s', space],
  ['w', wordBytes],
  ['D', digits.negated()],
  ['S', space.negated()],
  ['W', wordBytes.negated()],
]);
const escapedAssertions = new Map<string, 'start' | 'end' | WordAssertion>([
  ['A', 'start'],
  ['z', 'end'],
  ['B', 'not-word'],
  ['<', 'word-start'],
  ['>', 'word-end'],
]);
const wordBoundaries = new Map<string, WordAssertion>([
  ['start', 'word-start'],
  ['end', 'word-end'],
  ['start-half', 'word-start-half'],
  ['end-half', 'word-end-half'],
]);

/**
 * Iterates over the source of a Rust pattern by characters and parses its escapes. Handles `x` mode, but no other flag.
 */
export class RustCursor {
  readonly source: string;
  at = 0;
  ignoreSpace = false;

  constructor(source: string) {
    this.source = source;
  }

  get isAtEnd(): boolean {
    return this.at >= this.source.length;
  }

  /** The character here, `''` at the end. */
  get character(): string {
    const codePoint = this.source.codePointAt(this.at);
    return codePoint === undefined ? '' : String.fromCodePoint(codePoint);
  }

  is(character: string): boolean {
    return this.character === character;
  }

  get characterSpan(): PatternSpan {
    return { start: this.at, end: this.at + this.character.length };
  }

  get here(): PatternSpan {
    return { start: this.at, end: this.at };
  }

  from(start: number): PatternSpan {
    return { start, end: this.at };
  }

  bump(): void {
    this.at += this.character.length;
  }

  bumpIf(text: string): boolean {
    if (!this.source.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  /** In `x` mode, skips white space and comments. */
  bumpSpace(): void {
    if (!this.ignoreSpace) return;
    for (;;) {
      const { character } = this;
      if (character === '#') {
        const lineEnd = this.source.indexOf('\n', this.at);
        this.at = lineEnd === -1 ? this.source.length : lineEnd + 1;
      } else if (character !== '' && isWhiteSpace(character)) this.bump();
      else return;
    }
  }

  bumpAndSpace(): void {
    this.bump();
    this.bumpSpace();
  }

  /** The character after this one and the white space that is ignored there. */
  peekAfterSpace(): string {
    const { at } = this;
    this.bumpAndSpace();
    const { character } = this;
    this.at = at;
    return character;
  }

  readEscape(): Primitive {
    const start = this.at;
    this.bump();
    if (this.isAtEnd) {
      throw new SyntaxProblem(
        'incomplete escape sequence, reached end of pattern prematurely',
        this.from(start),
      );
    }
    const { character } = this;
    if (/^[0-9]$/.test(character)) {
      throw new SyntaxProblem('backreferences are not supported', { start, end: this.at + 1 });
    }
    if (/^[xuU]$/.test(character)) return this.#readHex(start);
    if (/^[pP]$/.test(character)) return this.#readUnicodeClass(start);
    this.bump();
    const span = this.from(start);
    const set = perlClasses.get(character);
    if (set !== undefined) return { ...span, kind: 'set', set, letter: character };
    const assertion = character === 'b' ? this.#readWordBoundary(start) : escapedAssertions.get(character);
    if (assertion !== undefined) return { ...this.from(start), kind: 'assertion', assertion };
    const codePoint =
      controls.get(character) ?? (isEscapable(character) ? character.codePointAt(0) : undefined);
    if (codePoint === undefined) throw new SyntaxProblem('unrecognized escape sequence', span);
    return { ...span, kind: 'character', codePoint };
  }

  #readHex(start: number): Primitive {
    const digitsCount = { x: 2, u: 4, U: 8 }[this.character]!;
    this.bumpAndSpace();
    if (this.isAtEnd) throw this.#prematureEnd(this.here);
    const isBraced = this.character === '{';
    const { hex, span } = isBraced ? this.#readBracedHex() : this.#readHexDigits(digitsCount);
    const codePoint = Number.parseInt(hex, 16);
    if (!(codePoint <= 0x10ffff) || (codePoint >= 0xd800 && codePoint <= 0xdfff)) {
      throw new SyntaxProblem('hexadecimal literal is not a Unicode scalar value', span);
    }
    // Only the form with exactly two digits means a byte; the others mean a character.
    const isByte = !isBraced && digitsCount === 2 && codePoint > 0x7f;
    return isByte
      ? { ...this.from(start), kind: 'byte', byte: codePoint }
      : { ...this.from(start), kind: 'character', codePoint };
  }

  #readHexDigits(count: number): { hex: string; span: PatternSpan } {
    const start = this.at;
    let hex = '';
    for (let i = 0; i < count; i++) {
      if (i > 0) this.bumpAndSpace();
      if (this.isAtEnd) throw this.#prematureEnd(this.here);
      hex += this.#hexDigit();
    }
    this.bumpAndSpace();
    return { hex, span: this.from(start) };
  }

  #readBracedHex(): { hex: string; span: PatternSpan } {
    const braceStart = this.at;
    const start = this.at + 1;
    let hex = '';
    for (this.bumpAndSpace(); !this.isAtEnd && !this.is('}'); this.bumpAndSpace()) hex += this.#hexDigit();
    if (this.isAtEnd) throw this.#prematureEnd(this.from(braceStart));
    const span = this.from(start);
    this.bumpAndSpace();
    if (hex === '') throw new SyntaxProblem('hexadecimal literal empty', this.from(braceStart));
    return { hex, span };
  }

  #hexDigit(): string {
    const { character } = this;
    if (!/^[0-9A-Fa-f]$/.test(character)) {
      throw new SyntaxProblem('invalid hexadecimal digit', this.characterSpan);
    }
    return character;
  }

  #prematureEnd(span: PatternSpan): SyntaxProblem {
    return new SyntaxProblem('incomplete escape sequence, reached end of pattern prematurely', span);
  }

  #readUnicodeClass(start: number): Primitive {
    const isCapital = this.is('P');
    this.bumpAndSpace();
    if (this.isAtEnd) throw this.#prematureEnd(this.here);
    if (this.is('\\')) throw new SyntaxProblem('invalid Unicode character class', this.characterSpan);
    let name = this.character;
    if (this.is('{')) {
      name = '';
      for (this.bumpAndSpace(); !this.isAtEnd && !this.is('}'); this.bumpAndSpace()) name += this.character;
      if (this.isAtEnd) throw this.#prematureEnd(this.here);
      this.bump();
    } else this.bumpAndSpace();
    return {
      ...this.from(start),
      kind: 'unicode-class',
      name: name.replace('!=', '='),
      isNegated: isCapital !== name.includes('!='),
    };
  }

  #readWordBoundary(start: number): WordAssertion {
    if (this.character !== '{') return 'word';
    const braceStart = this.at;
    this.bumpAndSpace();
    if (this.isAtEnd) {
      throw new SyntaxProblem(
        'found either the beginning of a special word boundary or a bounded repetition on a \\b with an ' +
          'opening brace, but no closing brace',
        this.from(start),
      );
    }
    const nameStart = this.at;
    let name = '';
    for (; /^[A-Za-z-]$/.test(this.character); this.bumpAndSpace()) name += this.character;
    if (name === '') {
      this.at = braceStart;
      return 'word';
    }
    if (!this.is('}')) {
      throw new SyntaxProblem(
        'special word boundary assertion is either unclosed or contains an invalid character',
        this.from(braceStart),
      );
    }
    const assertion = wordBoundaries.get(name);
    if (assertion === undefined) {
      throw new SyntaxProblem(
        'unrecognized special word boundary assertion, valid choices are: start, end, start-half or end-half',
        this.from(nameStart),
      );
    }
    this.bump();
    return assertion;
  }
}

export function isWhiteSpace(character: string): boolean {
  return /^\p{White_Space}$/u.test(character);
}

function isEscapable(character: string): boolean {
  return metaCharacters.has(character) || /^[\0-\x7f]$/.test(character.replace(/[0-9A-Za-z<>]/, 'é'));
}
