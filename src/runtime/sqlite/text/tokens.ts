/**
 * Splits SQL text into tokens exactly as SQLite's own tokenizer does, so that conclusions from the tokens (where a
 * statement ends, which parameters it has, what is renamed to what) agree with SQLite's. Comments and white space are
 * dropped. One pass, linear time.
 */
type TokenKind = 'word' | 'quoted' | 'string' | 'blob' | 'number' | 'variable' | 'punctuation' | 'illegal';

export interface Lexeme {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
  /** As written. */
  readonly text: string;
  /** The word in upper case, for comparison with keywords; empty for anything but a bare word. */
  readonly keyword: string;
}

export function tokenize(sql: string): Lexeme[] {
  const tokens: Lexeme[] = [];
  for (let start = skipBlank(sql, 0); start < sql.length;) {
    const { kind, end } = scan(sql, start);
    const text = sql.slice(start, end);
    tokens.push({ kind, start, end, text, keyword: kind === 'word' ? text.toUpperCase() : '' });
    start = skipBlank(sql, end);
  }
  return tokens;
}

/** The name that an identifier (or a string used as one, which SQLite allows) stands for. */
export function unquote({ kind, text }: Lexeme): string {
  if (kind !== 'quoted' && kind !== 'string') return text;
  const quote = text[0]!;
  const inner = text.slice(1, -1);
  return quote === '[' ? inner : inner.replaceAll(quote + quote, quote);
}

interface ScannedToken {
  readonly kind: TokenKind;
  readonly end: number;
}

const twoCharacterOperators = new Set(['->', '==', '<=', '<>', '<<', '>=', '>>', '!=', '||']);
const oneCharacterOperators = new Set('-+*/%=<>|&~(),;.');

function scan(sql: string, start: number): ScannedToken {
  const first = sql[start]!;
  switch (first) {
    case "'":
      return scanQuoted(sql, start, first, 'string');
    case '"':
    case '`':
      return scanQuoted(sql, start, first, 'quoted');
    case '[': {
      const close = sql.indexOf(']', start);
      return close < 0 ? { kind: 'illegal', end: sql.length } : { kind: 'quoted', end: close + 1 };
    }
    case '?':
      return { kind: 'variable', end: skipWhile(sql, start + 1, isDigit) };
    case '$':
    case '@':
    case '#':
    case ':':
      return scanVariable(sql, start);
    case 'x':
    case 'X':
      if (sql[start + 1] === "'") return scanBlob(sql, start);
  }
  if (isDigit(first) || (first === '.' && isDigit(sql[start + 1]))) return scanNumber(sql, start);
  if (isIdentifier(first)) return { kind: 'word', end: skipWhile(sql, start, isIdentifier) };
  return scanOperator(sql, start);
}

function scanOperator(sql: string, start: number): ScannedToken {
  if (sql.startsWith('->>', start)) return { kind: 'punctuation', end: start + 3 };
  if (twoCharacterOperators.has(sql.slice(start, start + 2))) return { kind: 'punctuation', end: start + 2 };
  return { kind: oneCharacterOperators.has(sql[start]!) ? 'punctuation' : 'illegal', end: start + 1 };
}

/** A doubled quote stands for itself; without a closing quote the whole rest is one illegal token. */
function scanQuoted(sql: string, start: number, quote: string, kind: TokenKind): ScannedToken {
  for (let at = start + 1; ;) {
    const close = sql.indexOf(quote, at);
    if (close < 0) return { kind: 'illegal', end: sql.length };
    if (sql[close + 1] !== quote) return { kind, end: close + 1 };
    at = close + 2;
  }
}

function scanBlob(sql: string, start: number): ScannedToken {
  const end = skipWhile(sql, start + 2, isHexDigit);
  if (sql[end] === "'" && (end - start) % 2 === 0) return { kind: 'blob', end: end + 1 };
  const close = sql.indexOf("'", end);
  return { kind: 'illegal', end: close < 0 ? sql.length : close + 1 };
}

/** `$name`, `@name`, `:name`, `#name`, and what Tcl programs write: `$space::name(index)`. */
function scanVariable(sql: string, start: number): ScannedToken {
  let named = false;
  for (let at = start + 1; ;) {
    if (isIdentifier(sql[at])) {
      named = true;
      at++;
    } else if (named && sql[at] === '(') {
      const end = skipWhile(sql, at + 1, (c) => c !== ')' && !isSpace(c));
      return sql[end] === ')' ? { kind: 'variable', end: end + 1 } : { kind: 'illegal', end };
    } else if (sql[at] === ':' && sql[at + 1] === ':') {
      at += 2;
    } else {
      return { kind: named ? 'variable' : 'illegal', end: at };
    }
  }
}

function scanNumber(sql: string, start: number): ScannedToken {
  const digits = (at: number): number => skipWhile(sql, at, (c) => isDigit(c) || c === '_');
  let end: number;
  if (sql[start] === '0' && /[xX]/.test(sql[start + 1] ?? '') && isHexDigit(sql[start + 2])) {
    end = skipWhile(sql, start + 3, (c) => isHexDigit(c) || c === '_');
  } else {
    end = digits(start);
    if (sql[end] === '.') end = digits(end + 1);
    const exponent = /^[eE][+-]?\d/.exec(sql.slice(end, end + 3));
    if (exponent !== null) end = digits(end + exponent[0].length);
  }
  const wordEnd = skipWhile(sql, end, isIdentifier);
  return { kind: wordEnd === end ? 'number' : 'illegal', end: wordEnd };
}

/** The end of the white space and comments that begin at `start`. */
function skipBlank(sql: string, start: number): number {
  for (let at = start; ;) {
    if (isSpace(sql[at])) {
      at++;
    } else if (sql.startsWith('--', at)) {
      const newline = sql.indexOf('\n', at);
      at = newline < 0 ? sql.length : newline + 1;
    } else if (sql.startsWith('/*', at) && at + 2 < sql.length) {
      // An unterminated comment extends to the end, and SQLite accepts it.
      const close = sql.indexOf('*/', at + 2);
      at = close < 0 ? sql.length : close + 2;
    } else {
      return at;
    }
  }
}

function skipWhile(sql: string, start: number, test: (character: string) => boolean): number {
  let at = start;
  while (at < sql.length && test(sql[at]!)) at++;
  return at;
}

/** SQLite skips a byte order mark wherever a token may begin. */
function isSpace(character: string | undefined): boolean {
  return (
    character === ' ' ||
    character === '\n' ||
    character === '\t' ||
    character === '\r' ||
    character === '\f' ||
    character === '\uFEFF'
  );
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}

function isHexDigit(character: string | undefined): boolean {
  if (character === undefined) return false;
  return (
    isDigit(character) || (character >= 'a' && character <= 'f') || (character >= 'A' && character <= 'F')
  );
}

function isIdentifier(character: string | undefined): boolean {
  if (character === undefined) return false;
  return (
    (character >= 'a' && character <= 'z') ||
    (character >= 'A' && character <= 'Z') ||
    isDigit(character) ||
    character === '_' ||
    character === '$' ||
    character >= '\u0080'
  );
}
