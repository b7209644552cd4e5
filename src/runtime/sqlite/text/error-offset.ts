/**
 * Where in a statement an error is. SQLite knows (`sqlite3_error_offset`), Node does not pass it on, so it is derived
 * from the message: the message quotes its subject, and where the same text occurs in several places, compiling changed
 * copies shows which one SQLite means:
 *
 * - A syntax error is at the first token that cannot follow those before it, so the statement cut off after that token
 *   still has the error, and cut off any earlier does not. Bisection finds the token.
 * - The name is the one whose change of case also changes the message. If there is none, the message is about a view or
 *   trigger and there is no offset in this statement.
 *
 * Only messages for which SQLite knows an offset are considered. The result counts UTF-8 bytes.
 */
import { offsetCandidatesMax } from '../limits.ts';
import { numberParameters } from './parameters.ts';
import type { StatementText } from './statements.ts';
import { type Lexeme, unquote } from './tokens.ts';

/** Compiles SQL and returns the message it fails with, or undefined if it does not fail. */
export type Diagnose = (sql: string) => string | undefined;

export function findErrorOffset(
  message: string,
  statement: StatementText,
  diagnose: Diagnose,
  variableNumberMax: number,
): number | undefined {
  for (const [pattern, find] of finders) {
    const match = pattern.exec(message);
    if (match === null) continue;
    const token = find({ message, quoted: match[1] ?? '', statement, diagnose, variableNumberMax });
    return token === undefined ? undefined : Buffer.byteLength(statement.sql.slice(0, token.start));
  }
  return undefined;
}

interface Search {
  readonly message: string;
  readonly quoted: string;
  readonly statement: StatementText;
  readonly diagnose: Diagnose;
  readonly variableNumberMax: number;
}

type Find = (search: Search) => Lexeme | undefined;

const finders: ReadonlyArray<readonly [RegExp, Find]> = [
  [/^near "([^]*)": syntax error$/, findSyntaxError],
  [/^unrecognized token: "/, ({ statement }) => statement.tokens.find(({ kind }) => kind === 'illegal')],
  [/^no such column: "?([^]+?)"?$/, findColumn],
  [/^ambiguous column name: ([^]+)$/, findColumn],
  [/^no such function: ([^]+)$/, findFunction],
  [/^not authorized to use function: ([^]+)$/, findFunction],
  [/^wrong number of arguments to function ([^]+)\(\)$/, findFunction],
  [/^too many arguments on function ([^]+)$/, findFunction],
  [/^misuse of (?:aggregate|window) function ([^]+)\(\)$/, findFunction],
  [/^misuse of aggregate: ([^]+)\(\)$/, findFunction],
  [/^([^]+)\(\) may not be used as a window function$/, findFunction],
  [/^(?:FILTER|ORDER BY) may not be used with non-aggregate ([^]+)\(\)$/, findFunction],
  [/^second argument to ([^]+)\(\) must be a constant between 0\.0 and 1\.0$/, findFunction],
  [/^(?:table|view|trigger) ([^]+) already exists$/, findAsWritten],
  [/^unknown database ([^]+)$/, findAsWritten],
  [/^hex literal too big: -?([^]+)$/, findAsWritten],
  [/^unknown join type: (\S+)/, findJoin],
  [/^too many SQL variables$/, findVariable],
  [/^variable number must be between \?1 and \?\d+$/, findVariable],
];

function findSyntaxError({ message, quoted, statement, diagnose }: Search): Lexeme | undefined {
  const candidates = statement.tokens.filter(({ text }) => text === quoted);
  // Compiling a part of a pragma could execute it.
  if (statement.tokens[0]?.keyword === 'PRAGMA') return candidates.at(-1);
  let low = 0;
  let high = candidates.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    const upToHere = statement.sql.slice(0, candidates[middle]!.end);
    if (diagnose(upToHere) === message) high = middle;
    else low = middle + 1;
  }
  return candidates[low];
}

/** A name that the message quotes with its qualifiers: `column`, `table.column`, `schema.table.column`. */
function findColumn(search: Search): Lexeme | undefined {
  const {
    quoted,
    statement: { tokens },
  } = search;
  const candidates: Array<{ first: Lexeme; last: Lexeme; lastAt: number }> = [];
  tokens.forEach((first, at) => {
    const lastAt = endOfPath(tokens, at);
    const path = tokens.slice(at, lastAt + 1).filter((_, index) => index % 2 === 0);
    if (isName(first) && tokens[at - 1]?.text !== '.' && path.map(unquote).join('.') === quoted) {
      candidates.push({ first, last: tokens[lastAt]!, lastAt });
    }
  });
  const found = candidates.slice(0, offsetCandidatesMax).find(({ last }) => isMeant(search, last));
  return found !== undefined && hasPlace(tokens, found.lastAt) ? found.first : undefined;
}

function endOfPath(tokens: readonly Lexeme[], start: number): number {
  let at = start;
  while (tokens[at + 1]?.text === '.' && tokens[at + 2] !== undefined) at += 2;
  return at;
}

function isName({ kind }: Lexeme): boolean {
  return kind === 'word' || kind === 'quoted';
}

/**
 * SQLite records no offset for assigned columns (`SET column = …`), nor for those in the ON clause of a join. Searches
 * backwards from the name for its clause.
 */
function hasPlace(tokens: readonly Lexeme[], at: number): boolean {
  let depth = 0;
  for (let before = at - 1; before >= 0; before--) {
    const { text, keyword } = tokens[before]!;
    if (text === ')') depth++;
    if (text === '(') depth--;
    if (depth > 0) continue;
    if (otherClauses.has(keyword)) return true;
    if (keyword === 'ON' && tokens[before + 1]?.keyword !== 'CONFLICT')
      return !follows(tokens, before, 'JOIN');
    if (keyword === 'SET') {
      const next = tokens[at + 1]?.text;
      return next !== '=' && next !== '==' && !(depth < 0 && (next === ',' || next === ')'));
    }
  }
  return true;
}

const otherClauses: ReadonlySet<string> = new Set(
  'SELECT FROM WHERE GROUP HAVING ORDER LIMIT RETURNING VALUES'.split(' '),
);

function follows(tokens: readonly Lexeme[], at: number, keyword: string): boolean {
  return tokens.slice(0, at).some((token) => token.keyword === keyword);
}

function findFunction(search: Search): Lexeme | undefined {
  const {
    quoted,
    statement: { tokens },
  } = search;
  const called = tokens.filter(
    (token, at) => isName(token) && tokens[at + 1]?.text === '(' && unquote(token) === quoted,
  );
  if (called.length > 0) {
    const found = called.slice(0, offsetCandidatesMax).find((token) => isMeant(search, token));
    return found !== undefined && hasPlace(tokens, tokens.indexOf(found)) ? found : undefined;
  }
  // REGEXP and MATCH are functions written as operators.
  return tokens.find(({ keyword }) => keyword === quoted.toUpperCase());
}

/**
 * Whether the message is about this name: messages quote names as they are written, so changing the case of a letter of
 * the right name changes the message, and nothing else.
 */
function isMeant({ message, statement: { sql }, diagnose }: Search, { text, start, end }: Lexeme): boolean {
  const changed = text.replace(/[a-zA-Z]/, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );
  // A name without such letters cannot be tested: assume that it is the one.
  return changed === text || diagnose(sql.slice(0, start) + changed + sql.slice(end)) !== message;
}

function findAsWritten({ quoted, statement }: Search): Lexeme | undefined {
  return statement.tokens.find(({ text }) => text === quoted);
}

function findJoin({ message, statement: { tokens } }: Search): Lexeme | undefined {
  const words = message.slice('unknown join type: '.length).split(' ');
  return tokens.find((_, at) => words.every((word, index) => tokens[at + index]?.text === word));
}

function findVariable({ message, statement: { tokens }, variableNumberMax }: Search): Lexeme | undefined {
  const { numbers } = numberParameters(tokens);
  const isNumbered = ({ text }: Lexeme): boolean => /^\?\d/.test(text);
  const tooMany = message.startsWith('too many');
  return tokens
    .filter(({ kind }) => kind === 'variable')
    .find((token, at) => {
      const number = numbers[at]!;
      return isNumbered(token) !== tooMany && (number < 1 || number > variableNumberMax);
    });
}
