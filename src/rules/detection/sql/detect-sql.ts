/**
 * SQL injection: the text is parsed as SQL in each place where an application may insert it: as a statement or a value
 * of its own, after a number, or inside of a string that one of its quotes ends. The verdict depends on whether the
 * text can be parsed as SQL up to its end, and on its effect. Names with apostrophes and sentences cannot be parsed
 * this way.
 */
import { type Detector, type DetectorReading, pickSurer } from '../finding.ts';
import { innerTriedMax, quotesTriedMax } from '../limits.ts';
import { ShapeReader } from './shape-reader.ts';
import { readStatement } from './statements.ts';
import { type SqlToken, SqlTokens } from './tokens.ts';
import { logical, statements } from './words.ts';

/** A text without punctuation is SQL only with one of these words in it. */
const words = /\bselect\b|\bor\s+\d|\band\s+\d|\bunion\b/i;
const signs = /['"`=<>(@;#*]|--|\|\||&&|,/;

export const detectSql: Detector = (text) => {
  if (!signs.test(text) && !words.test(text)) return undefined;
  let found = readBare(text);
  for (const quote of ["'", '"', '`'] as const) {
    if (found !== undefined && found.confidence >= 95) return found;
    if (text.includes(quote)) found = pickSurer(found, readBehindQuotes(text, quote));
  }
  return found === undefined || found.confidence < 90 ? pickSurer(found, readInside(text)) : found;
};

/** The start of a statement inside of a text. */
const inner =
  /;\s{0,9}(?=(?:drop|waitfor|exec|execute|declare|insert|update|delete|alter|create|truncate|shutdown|select)\b)|\bunion\b(?=[\s(/*!+\d]{1,20}(?:(?:all|distinct)\b[\s(/*!+]{1,20})?select\b)/gi;

/** After text that is not SQL: only unambiguous statements count. */
function readInside(text: string): DetectorReading | undefined {
  if (!text.includes(';') && !/union/i.test(text)) return undefined;
  let found: DetectorReading | undefined;
  inner.lastIndex = 0;
  for (let tried = 0, match = inner.exec(text); match !== null && tried < innerTriedMax; tried++) {
    const start = match.index;
    const reader = new ShapeReader(new SqlTokens(text, start));
    const create = (confidence: number, why: string): DetectorReading => ({
      confidence: Math.min(confidence, 92),
      why,
      start,
      end: Math.max(reader.end, start + 1),
    });
    const read = match[0].startsWith(';')
      ? judgeStacked(reader, (confidence, why) => create(confidence >= 95 ? confidence : 60, why))
      : judgeUnion(reader, create, isLiteralList(text, start));
    found = pickSurer(found, read);
    match = inner.exec(text);
  }
  return found;
}

/** "union select" in a search does not count without a meaningful list. */
function judgeUnion(
  reader: ShapeReader,
  create: Judging['create'],
  isLiteral: boolean,
): DetectorReading | undefined {
  reader.readTail();
  const isTelling = reader.isTelling || reader.isUnmistakable || reader.hasCatalogue || reader.writesFile;
  return reader.hasUnion && (isTelling || isLiteral) ? create(90, 'UNION SELECT') : undefined;
}

const literalList =
  /union[\s(/*!+\d]{1,20}(?:(?:all|distinct)[\s(/*!+]{1,20})?select[\s(/*!+-]{1,20}(?:\d+\s{0,9}(?:,|$|from\b|-|#)|null\b|['"@]|0x|\w+\s?\()/iy;

/** Whether the list starts with a literal, and is not the second half of a user's own query. */
function isLiteralList(text: string, start: number): boolean {
  literalList.lastIndex = start;
  return literalList.test(text) && !/\bselect\b/i.test(text.slice(0, start));
}

/** What may follow the end of a string if the statement continues. */
const continuation =
  /[\s\0\xa0)*/]*(?:--|#|\/\*|;|\|\||&&|[=<>+\-*/%^|&!,]|'|(?:or|and|xor|not|union|like|ilike|rlike|regexp|in|is|between|having|order|group|limit|where|div|mod|as|collate|into|procedure|waitfor|glob|intersect|except|minus|returning|when|then|end|on|from|for|offset|escape|exec|execute|declare)\b)/iy;

/** `click "or"`, `'and' | 'or'`: a word that is only quoted, in a sentence or a type. */
const quotedWord =
  /(["'`])(?:or|and|not|like|in|is|as|on|from|for|where|when|then|end)\1(?=$|[.,;:!?)]|\s+[a-z]{2,}|\s*\|\s*(["'`])\w+\2)/iy;

/** `searches for 'union select', and`: words that are only quoted, in a sentence. */
const quotedPhrase = /(?<=\s)(["'`])union\s(?:all\s)?select\1(?=$|[.,;:!?)](?:\s|$)|\s+[a-z]{2,})/iy;

function readBehindQuotes(text: string, quote: string): DetectorReading | undefined {
  let found: DetectorReading | undefined;
  const first = text.indexOf(quote);
  let at = first;
  for (let tried = 0; at !== -1 && tried < quotesTriedMax; at = text.indexOf(quote, at + 1)) {
    continuation.lastIndex = at + 1;
    if (!continuation.test(text)) continue;
    quotedWord.lastIndex = quotedPhrase.lastIndex = at;
    if (quotedWord.test(text) || quotedPhrase.test(text)) continue;
    tried++;
    const read = readBreakout(text, at, quote);
    // The first quote is where the string ends; for the others, only unambiguous statements count.
    if (at === first || (read !== undefined && read.confidence >= 90)) found = pickSurer(found, read);
    if (found !== undefined && found.confidence >= 95) break;
  }
  return found;
}

function readBreakout(text: string, quoteAt: number, quote: string): DetectorReading | undefined {
  const tokens = new SqlTokens(text, quoteAt + 1);
  const reader = new ShapeReader(tokens);
  while (reader.take(')'));
  const prefix = text.slice(0, quoteAt);
  const create = (confidence: number, why: string): DetectorReading => ({
    confidence,
    why: `${why} behind a quote that ends the string around it`,
    start: quoteAt,
    end: Math.max(reader.end, quoteAt + 1),
  });
  if (reader.isAtComment) {
    // `admin'--`: only a name before, no text after.
    const rest = text.slice(reader.peek()!.start);
    const isBare =
      !/\s/.test(prefix.trim()) && prefix.length <= 64 && !/(?<![a-z])[a-z]{2,}\s+[a-z]{2,}/i.test(rest);
    return isBare && isCommentMark(rest) ? create(88, 'a comment') : undefined;
  }
  return judge(reader, { create, isQuoted: true, quote });
}

/** `#` alone also starts a colour, a channel or a fragment. */
function isCommentMark(rest: string): boolean {
  return /^(?:--|\/\*)/.test(rest) || /^#\s*$/.test(rest) || /^#[^\w]/.test(rest);
}

interface Judging {
  readonly create: (confidence: number, why: string) => DetectorReading;
  /** Whether the text has left a string; otherwise it follows a number or a name. */
  readonly isQuoted: boolean;
  readonly quote: string;
}

/** Statements that need no semicolon before them. */
const unseparated: ReadonlySet<string> = new Set(['exec', 'execute', 'waitfor', 'declare']);

/** The reader is positioned where the application's own value has ended. */
function judge(reader: ShapeReader, { create, isQuoted }: Judging): DetectorReading | undefined {
  const first = reader.peek();
  if (first === undefined) return undefined;
  if (first.type === ';' || (first.type === 'word' && unseparated.has(first.text)))
    return judgeStacked(reader, create);
  if (first.type === ',' && isQuoted) {
    reader.take(',');
    if (!reader.readExpression() || !reader.hasSubquery) return judgeParts(reader, create);
  } else {
    const operator = reader.peekOperator();
    const isTail = operator === undefined;
    const isRead = isTail ? reader.readTail() && reader.position > 0 : reader.readOperations('other');
    if (!isRead) return judgeParts(reader, create);
    if (!isTail && !reader.readTail()) return judgeParts(reader, create);
  }
  while (reader.take(')'));
  const behind = reader.peek();
  if (behind?.type === ';') {
    const stacked = judgeStacked(reader, create);
    if (stacked !== undefined) return stacked;
  } else if (!reader.isAtEnd) return judgeParts(reader, create);
  return judgeWhole(reader, { create, isQuoted });
}

/** Everything up to the end could be parsed. */
function judgeWhole(
  reader: ShapeReader,
  { create, isQuoted }: Pick<Judging, 'create' | 'isQuoted'>,
): DetectorReading | undefined {
  const parts = judgeParts(reader, create);
  if (parts !== undefined) return parts;
  const last = reader.peek(-1);
  if (reader.comparesConstants && reader.position >= 3)
    return create(92, 'a condition that is always the same');
  if (reader.hasSubquery) return create(90, 'a query inside of an expression');
  if (!isQuoted) {
    if (reader.hasLoneConstant && reader.isAtComment)
      return create(85, 'a condition that is always the same');
    return reader.isAtComment && reader.position >= 2 && isClause(reader)
      ? create(85, 'a clause and a comment')
      : undefined;
  }
  const isSynchronised = reader.isAtEnd && (reader.isAtComment || last?.isOpen === true);
  if (reader.calls && isSynchronised) return create(88, 'a call');
  if (reader.calls) return create(82, 'a call');
  if (reader.hasLoneConstant && isSynchronised) return create(85, 'a condition that is always the same');
  if (reader.comparesNames && isSynchronised) return create(86, 'a condition');
  if (reader.isAtComment && reader.position >= 2) return create(84, 'a clause and a comment');
  return undefined;
}

const clauses: ReadonlySet<string> = new Set(['order', 'group', 'having', 'limit']);

/** `1 order by 50--` is one; `- 5 --` in a list of figures is not. */
function isClause(reader: ShapeReader): boolean {
  for (let back = -reader.position; back < 0; back++) {
    const token = reader.peek(back)!;
    if (token.type === 'word' && clauses.has(token.text)) return true;
  }
  return false;
}

/** Unambiguous parts although the end could not be parsed: fragments, and dialects that are not described here. */
function judgeParts(reader: ShapeReader, create: Judging['create']): DetectorReading | undefined {
  if (reader.hasUnion) return create(96, 'UNION SELECT');
  if (reader.writesFile) return create(96, 'a query that writes a file');
  if (reader.isUnmistakable) return create(95, `${reader.risky!}()`);
  if (reader.hasCatalogue && (reader.hasFrom || reader.hasSubquery))
    return create(95, 'a query of the catalogue');
  if (reader.risky !== undefined) return create(90, `${reader.risky}()`);
  return undefined;
}

function judgeStacked(reader: ShapeReader, create: Judging['create']): DetectorReading | undefined {
  while (reader.take(';'));
  if (reader.isAtComment) return create(88, 'the end of the statement and a comment');
  const word = reader.peek();
  if (word?.type !== 'word' || !statements.has(word.text)) return undefined;
  const confidence = readStatement(reader);
  return confidence === 0
    ? undefined
    : create(Math.min(95, confidence + 10), `a second statement, ${word.text.toUpperCase()},`);
}

/** The text as a statement of its own, or after its own value. */
function readBare(text: string): DetectorReading | undefined {
  const tokens = new SqlTokens(text, 0);
  const first = tokens.get(0);
  if (first === undefined) return undefined;
  const reader = new ShapeReader(tokens);
  const create = (confidence: number, why: string): DetectorReading => ({
    confidence,
    why,
    start: first.start,
    end: Math.max(reader.end, first.end),
  });
  if (first.type === ';') return judgeStacked(reader, create);
  while (reader.take(')'));
  const start = reader.peek();
  if (start === undefined) return undefined;
  if (start.type === 'word' && statements.has(start.text)) {
    const confidence = readStatement(reader);
    if (confidence > 0) return create(confidence, `the statement ${start.text.toUpperCase()}`);
    if (reader.hasUnion && !reader.isTelling && !reader.hasCatalogue) return undefined;
    return judgeParts(reader, (sure, why) => create(Math.min(sure, 92), why));
  }
  if (start.type === 'word' && (logical.has(start.text) || isTailWord(start.text)))
    return judgeLogical(reader, create);
  return judgeValue(reader, create, start);
}

function isTailWord(word: string): boolean {
  return (
    word === 'union' || word === 'having' || word === 'order' || word === 'group' || word === 'procedure'
  );
}

/** The text starts where a value outside of it has ended: ` or 1=1`, `union select 1,2`. */
function judgeLogical(reader: ShapeReader, create: Judging['create']): DetectorReading | undefined {
  return judge(reader, { create, isQuoted: false, quote: '' });
}

/** `1 or 1=1`, `(select …)`, `sleep(5)`, `name and 1=1`. */
function judgeValue(
  reader: ShapeReader,
  create: Judging['create'],
  start: SqlToken,
): DetectorReading | undefined {
  const isNumber = start.type === 'number' || start.text === '-' || start.type === 'string';
  const isRead = reader.readExpression() && reader.readTail();
  if (isRead && isNumber && reader.position <= 2 && reader.peek()?.type === ')') {
    while (reader.take(')'));
    return judge(reader, { create, isQuoted: false, quote: '' });
  }
  while (reader.take(')'));
  if (isRead && reader.isAtEnd) {
    const isQuery = reader.hasSubquery && (reader.hasFrom || reader.hasSelectList);
    if (isQuery) return judgeParts(reader, create) ?? create(85, 'a query as a value');
    if (reader.comparesConstants && hasLogical(reader))
      return create(isNumber ? 92 : 86, 'a condition that is always the same');
    if (
      reader.isUnmistakable &&
      (isNumber || hasLogical(reader) || reader.peek(1 - reader.position)?.type === '(')
    )
      return create(92, `${reader.risky!}()`);
    if (isNumber || hasLogical(reader)) return judgeWholeBehind(reader, create, isNumber);
    return reader.hasUnion ? create(90, 'UNION SELECT') : undefined;
  }
  const next = reader.peek();
  if (isRead && isNumber && next?.type === ',' && readList(reader)) return create(88, 'a query in a list');
  const isStacked = next?.type === ';' || (next?.type === 'word' && next.text === 'waitfor');
  if (isRead && isStacked && isNumber) return judgeStacked(reader, create) ?? judgeParts(reader, create);
  if (reader.hasUnion && isNumber) return create(95, 'UNION SELECT');
  if (reader.hasUnion) return create(85, 'UNION SELECT');
  return reader.isUnmistakable && isNumber ? create(88, `${reader.risky!}()`) : undefined;
}

/** `1,(select …)`: further values, up to the end. */
function readList(reader: ShapeReader): boolean {
  while (reader.take(',')) if (!reader.readExpression()) return false;
  return reader.hasSubquery && reader.isAtEnd;
}

function judgeWholeBehind(
  reader: ShapeReader,
  create: Judging['create'],
  isNumber: boolean,
): DetectorReading | undefined {
  if (!isNumber && !reader.isUnmistakable && !reader.hasUnion && !reader.hasCatalogue) {
    return reader.risky !== undefined && reader.calls ? create(60, `${reader.risky}()`) : undefined;
  }
  if (reader.position < 3 && !reader.hasUnion) return undefined;
  // `1=1` alone is a common request to map servers for a whole layer.
  if (reader.comparesConstants && !hasLogical(reader) && !isClause(reader)) return judgeParts(reader, create);
  return judgeWhole(reader, { create, isQuoted: false });
}

/** Whether one of the tokens that were read connects conditions. */
function hasLogical(reader: ShapeReader): boolean {
  for (let back = -reader.position; back < 0; back++) {
    const token = reader.peek(back);
    if ((token?.type === 'word' || token?.type === 'operator') && logical.has(token.text)) return true;
  }
  return false;
}
