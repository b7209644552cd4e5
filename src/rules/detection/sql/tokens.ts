/**
 * The tokens of SQL as databases read it, all dialects at once: comments are white space unless they end the text,
 * `/*!50000 … *\/` is replaced by its content. The time is linear, and the number of tokens is bounded.
 *
 * Bytes are compared one by one: a pattern for each kind of token takes five times as long, and a text is parsed again
 * from each of its first quotes.
 */
import { byteAt } from '#text';
import { spendSteps } from '#work';
import { sqlTokensMax, stepsPerSqlToken } from '../limits.ts';

type SqlTokenType =
  | 'word'
  | 'number'
  | 'string'
  | 'variable'
  | 'operator'
  | '('
  | ')'
  | ','
  | ';'
  | '.'
  /** A comment up to the end of the text: what follows the injected part is cut off. */
  | 'comment';

export interface SqlToken {
  readonly type: SqlTokenType;
  /** Words and operators in lower case. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** For an unclosed string: the quote that the application appends closes it. */
  readonly isOpen?: boolean;
}

/** The kinds of tokens that a byte may be a part of. */
const partOf = { space: 1, digit: 2, hex: 4, wordStart: 8, word: 16, variable: 32, binary: 64 } as const;

const classes = new Uint8Array(256);
for (const [part, pattern] of [
  [partOf.space, /[\s\0]/],
  [partOf.digit, /\d/],
  [partOf.hex, /[\da-f]/i],
  [partOf.wordStart, /[a-z_\x80-\x9f\xa1-\xff]/i],
  [partOf.word, /[\w$\x80-\x9f\xa1-\xff]/],
  [partOf.variable, /[\w$.]/],
  [partOf.binary, /[01]/],
] as const) {
  for (let byte = 0; byte < 256; byte++) if (pattern.test(String.fromCharCode(byte))) classes[byte]! |= part;
}

function isPart(text: string, at: number, part: number): boolean {
  return at < text.length && (classes[byteAt(text, at) & 0xff]! & part) !== 0;
}

/** The end of the bytes from here on that belong to one kind. */
function skip(text: string, from: number, part: number): number {
  let at = from;
  while (isPart(text, at, part)) at++;
  return at;
}

/** The tokens of a text, read on demand: most texts turn out not to be SQL after the first few. */
export class SqlTokens {
  readonly #text: string;
  readonly #tokens: SqlToken[] = [];
  #at: number;
  #isOver = false;

  constructor(text: string, from: number) {
    this.#text = text;
    this.#at = from;
  }

  get(index: number): SqlToken | undefined {
    while (index >= this.#tokens.length && !this.#isOver) this.#readNext();
    return this.#tokens[index];
  }

  /** The position after what is read so far. */
  get end(): number {
    return this.#at;
  }

  #readNext(): void {
    const text = this.#text;
    while (this.#at < text.length && this.#tokens.length < sqlTokensMax) {
      const skipped = skipSpaces(text, this.#at);
      if (skipped !== this.#at) {
        this.#at = skipped;
        continue;
      }
      const comment = findCommentEnd(text, this.#at);
      if (comment !== undefined && comment !== -1) {
        this.#at = comment;
        continue;
      }
      const token: SqlToken | undefined =
        comment === undefined
          ? readToken(text, this.#at)
          : { type: 'comment', text: '', start: this.#at, end: text.length };
      if (token === undefined) break;
      spendSteps(stepsPerSqlToken);
      this.#tokens.push(token);
      this.#at = token.end;
      return;
    }
    this.#isOver = true;
  }
}

const signs = {
  newline: 0x0a,
  bang: 0x21,
  doubleQuote: 0x22,
  hash: 0x23,
  dollar: 0x24,
  quote: 0x27,
  open: 0x28,
  close: 0x29,
  star: 0x2a,
  plus: 0x2b,
  comma: 0x2c,
  minus: 0x2d,
  dot: 0x2e,
  slash: 0x2f,
  zero: 0x30,
  semicolon: 0x3b,
  greater: 0x3e,
  at: 0x40,
  bracket: 0x5b,
  backQuote: 0x60,
} as const;

/** The end of a comment that the application has opened before the text is white space as well. */
function skipSpaces(text: string, from: number): number {
  let at = from;
  for (;;) {
    if (isPart(text, at, partOf.space)) at++;
    else if (byteAt(text, at) === signs.star && byteAt(text, at + 1) === signs.slash) at += 2;
    else return at;
  }
}

/** The end of a comment that starts here; -1 if it is not closed, and undefined if there is no comment. */
function findCommentEnd(text: string, at: number): number | undefined {
  const byte = byteAt(text, at);
  if (byte === signs.hash || (byte === signs.minus && byteAt(text, at + 1) === signs.minus))
    return text.indexOf('\n', at);
  if (byte !== signs.slash || byteAt(text, at + 1) !== signs.star) return undefined;
  if (byteAt(text, at + 2) === signs.bang)
    return Math.min(skip(text, at + 3, partOf.digit), at + 3 + versionDigitsMax);
  const end = text.indexOf('*/', at + 2);
  return end === -1 ? -1 : end + 2;
}

/** `/*!50000` */
const versionDigitsMax = 6;

function readToken(text: string, at: number): SqlToken | undefined {
  const byte = byteAt(text, at);
  switch (byte) {
    case signs.open:
      return { type: '(', text: '(', start: at, end: at + 1 };
    case signs.close:
      return { type: ')', text: ')', start: at, end: at + 1 };
    case signs.comma:
      return { type: ',', text: ',', start: at, end: at + 1 };
    case signs.semicolon:
      return { type: ';', text: ';', start: at, end: at + 1 };
    case signs.quote:
      return readString(text, at, "'", at);
    case signs.doubleQuote:
      return readString(text, at, '"', at);
    case signs.backQuote:
      return readQuotedName(text, at, '`');
    case signs.bracket:
      return readQuotedName(text, at, ']');
    case signs.dollar:
      if (byteAt(text, at + 1) === signs.dollar) return readDollarString(text, at);
      break;
  }
  if (isPart(text, at, partOf.wordStart)) return readWord(text, at);
  let end = findNumberEnd(text, at);
  if (end !== at) return { type: 'number', text: text.slice(at, end), start: at, end };
  if (byte === signs.dot) return { type: '.', text: '.', start: at, end: at + 1 };
  end = findVariableEnd(text, at);
  if (end !== at) return { type: 'variable', text: text.slice(at, end).toLowerCase(), start: at, end };
  const operator = findOperator(text, at);
  return operator === undefined
    ? undefined
    : { type: 'operator', text: operator, start: at, end: at + operator.length };
}

function readWord(text: string, at: number): SqlToken {
  const end = skip(text, at + 1, partOf.word);
  // `N'…'`, `x'…'`, `E'…'` are strings.
  if (end === at + 1 && byteAt(text, end) === signs.quote && /[nxbequ]/i.test(text[at]!))
    return readString(text, end, "'", at);
  return { type: 'word', text: text.slice(at, end).toLowerCase(), start: at, end };
}

/** `0x1f`, `0b1`, `1.5e-3`, `.5`; the start if there is no number. */
function findNumberEnd(text: string, start: number): number {
  if (byteAt(text, start) === signs.zero) {
    const letter = text.charAt(start + 1);
    const part = letter === 'x' || letter === 'X' ? partOf.hex : /[bB]/.test(letter) ? partOf.binary : 0;
    const end = skip(text, start + 2, part);
    if (end > start + 2) return end;
  }
  let at = skip(text, start, partOf.digit);
  if (byteAt(text, at) === signs.dot) {
    const end = skip(text, at + 1, partOf.digit);
    // A dot alone is not a number.
    if (end > start + 1) at = end;
  }
  if (at === start || (byteAt(text, at) | 0x20) !== 0x65) return at;
  const sign = byteAt(text, at + 1);
  const exponent = at + (sign === signs.plus || sign === signs.minus ? 2 : 1);
  const end = skip(text, exponent, partOf.digit);
  return end === exponent ? at : end;
}

/** `@name`, `@@version`, `` @`a name` ``; the start if there is no variable. */
function findVariableEnd(text: string, start: number): number {
  if (byteAt(text, start) !== signs.at) return start;
  let at = start + 1;
  if (byteAt(text, at) === signs.at && byteAt(text, at + 1) !== signs.greater) at++;
  // `@>` is an operator.
  if (byteAt(text, at) === signs.greater) return start;
  if (byteAt(text, at) !== signs.backQuote) return skip(text, at, partOf.variable);
  const close = text.indexOf('`', at + 1);
  return close === -1 ? at : close + 1;
}

const longOperators = '<@ @> <> != <= >= := :: || && << >> -> <=> ->>'.split(' ');
const operatorBytes = '= < > + - * / % ^ | & ~ ! ? : $ @'.split(' ');

/** By byte: its number among those of operators, from 1 on. */
const operatorNumbers = new Uint8Array(256);
for (const [index, byte] of operatorBytes.entries()) operatorNumbers[byte.charCodeAt(0)] = index + 1;

/**
 * By the numbers of their first two bytes, 0 for any other byte: the operators that start with them, the longest first.
 */
const operators: (readonly string[])[] = [];
const rowLength = operatorBytes.length + 1;
for (const [first, byte] of operatorBytes.entries()) {
  for (const [second, next] of ['', ...operatorBytes].entries()) {
    const long = longOperators.filter((operator) => next !== '' && operator.startsWith(byte + next));
    const all = byte === '@' ? long : [...long, byte];
    operators[(first + 1) * rowLength + second] = all.toSorted((a, b) => b.length - a.length);
  }
}

/** The longest operator that starts here. */
function findOperator(text: string, at: number): string | undefined {
  const first = operatorNumbers[byteAt(text, at) & 0xff]!;
  if (first === 0) return undefined;
  const second = at + 1 < text.length ? operatorNumbers[byteAt(text, at + 1) & 0xff]! : 0;
  for (const operator of operators[first * rowLength + second]!)
    if (operator.length < 3 || byteAt(text, at + 2) === signs.greater) return operator;
  return undefined;
}

/** A doubled quote and one after a backslash belong to the string. */
function readString(text: string, quoteAt: number, quote: string, start: number): SqlToken {
  let at = quoteAt + 1;
  for (;;) {
    const end = text.indexOf(quote, at);
    if (end === -1)
      return { type: 'string', text: text.slice(quoteAt + 1), start, end: text.length, isOpen: true };
    if (text[end - 1] === '\\' && end - 1 > quoteAt) {
      at = end + 1;
      continue;
    }
    if (text[end + 1] === quote) {
      at = end + 2;
      continue;
    }
    return { type: 'string', text: text.slice(quoteAt + 1, end), start, end: end + 1 };
  }
}

function readQuotedName(text: string, at: number, close: string): SqlToken | undefined {
  const end = text.indexOf(close, at + 1);
  if (end === -1 || end - at > 130) return undefined;
  return { type: 'word', text: `\`${text.slice(at + 1, end).toLowerCase()}`, start: at, end: end + 1 };
}

function readDollarString(text: string, at: number): SqlToken {
  const end = text.indexOf('$$', at + 2);
  const close = end === -1 ? text.length : end + 2;
  return { type: 'string', text: text.slice(at + 2, end === -1 ? undefined : end), start: at, end: close };
}
