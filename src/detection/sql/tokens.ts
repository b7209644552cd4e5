/**
 * SQL as databases read it, all dialects at once: comments are white space unless they end the text, `/*!50000 … *\/` is
 * what it contains. The time is linear, and the number of tokens is bounded.
 */
import { sqlTokensMax } from '../limits.ts';

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
  /** Of a string that is not closed: the quote that the application adds closes it. */
  readonly isOpen?: boolean;
}

const space = /(?:[\s\0\xa0]|\*\/)+/y;
const word = /[A-Za-z_\x80-\x9f\xa1-\xff][\w$\x80-\x9f\xa1-\xff]*/y;
const number = /0x[0-9a-f]+|0b[01]+|(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?/iy;
const variable = /@{1,2}(?!>)(?:[\w$.]+|`[^`]*`)?/iy;
const operator = /<=>|<@|@>|<>|!=|<=|>=|:=|::|\|\||&&|<<|>>|->>?|[=<>+\-*/%^|&~!?:$]/y;

/** The tokens of a text, read when they are asked for: most texts are no SQL after the first few. */
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

  #readNext(): void {
    const text = this.#text;
    while (this.#at < text.length && this.#tokens.length < sqlTokensMax) {
      const skipped = matchEnd(space, text, this.#at);
      if (skipped !== -1) {
        this.#at = skipped;
        continue;
      }
      const comment = readComment(text, this.#at);
      if (comment?.isLast === false) {
        this.#at = comment.end;
        continue;
      }
      const token: SqlToken | undefined =
        comment === undefined
          ? readToken(text, this.#at)
          : { type: 'comment', text: '', start: this.#at, end: text.length };
      if (token === undefined) break;
      this.#tokens.push(token);
      this.#at = token.end;
      return;
    }
    this.#isOver = true;
  }
}

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

function readComment(
  text: string,
  at: number,
): { readonly end: number; readonly isLast: boolean } | undefined {
  const character = text[at];
  if (character === '#' || (character === '-' && text[at + 1] === '-')) {
    const end = text.indexOf('\n', at);
    return { end, isLast: end === -1 };
  }
  if (character !== '/' || text[at + 1] !== '*') return undefined;
  if (text[at + 2] === '!') return { end: matchEnd(/[0-9]{0,6}/y, text, at + 3), isLast: false };
  const end = text.indexOf('*/', at + 2);
  return { end: end + 2, isLast: end === -1 };
}

function readToken(text: string, at: number): SqlToken | undefined {
  const character = text[at]!;
  switch (character) {
    case '(':
    case ')':
    case ',':
    case ';':
      return { type: character, text: character, start: at, end: at + 1 };
    case "'":
    case '"':
      return readString(text, at, character, at);
    case '`':
      return readQuotedName(text, at, '`');
    case '[':
      return readQuotedName(text, at, ']');
    case '$':
      if (text[at + 1] === '$') return readDollarString(text, at);
      break;
  }
  let end = matchEnd(number, text, at);
  if (end !== -1) return { type: 'number', text: text.slice(at, end), start: at, end };
  end = matchEnd(word, text, at);
  if (end !== -1) {
    // `N'…'`, `x'…'`, `E'…'` are strings.
    if (end - at <= 2 && text[end] === "'" && /^(?:[nxbe]|q|u)$/i.test(text.slice(at, end)))
      return readString(text, end, "'", at);
    return { type: 'word', text: text.slice(at, end).toLowerCase(), start: at, end };
  }
  if (character === '.') return { type: '.', text: '.', start: at, end: at + 1 };
  end = matchEnd(variable, text, at);
  if (end !== -1) return { type: 'variable', text: text.slice(at, end).toLowerCase(), start: at, end };
  end = matchEnd(operator, text, at);
  if (end !== -1) return { type: 'operator', text: text.slice(at, end), start: at, end };
  return undefined;
}

/** A doubled quote and one behind a backslash belong to the string. */
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
