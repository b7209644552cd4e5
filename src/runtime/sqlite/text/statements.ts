import { type Lexeme, tokenize } from './tokens.ts';

/** One statement of an SQL text: the part of the text that SQLite compiles as one. */
export interface StatementText {
  /** With its final semicolon, and with the empty statements and comments before it. */
  readonly sql: string;
  /** Its tokens without any leading semicolons; positions count from the start of `sql`. */
  readonly tokens: readonly Lexeme[];
}

/**
 * Splits SQL text into its statements. SQLite compiles one statement at a time and Node does not report where it
 * stopped, so the text is split here, by the same rule: a semicolon ends a statement, unless it is inside the body of a
 * trigger, which ends with `; END`.
 *
 * Text without any statement gives an empty list; comments and semicolons after the last statement
 * belong to no statement and are dropped.
 */
export function splitStatements(sql: string): StatementText[] {
  const statements: StatementText[] = [];
  let start = 0;
  let tokens: Lexeme[] = [];
  const finish = (end: number): void => {
    statements.push({ sql: sql.slice(start, end), tokens: shift(tokens, start) });
    tokens = [];
    start = skipSpace(sql, end);
  };
  for (const token of tokenize(sql)) {
    if (token.text !== ';') {
      tokens.push(token);
    } else if (tokens.length > 0) {
      const complete = !isTrigger(tokens) || endsTrigger(tokens);
      tokens.push(token);
      if (complete) finish(token.end);
    }
  }
  if (tokens.length > 0) finish(sql.length);
  return statements;
}

/** The position of the first token after `EXPLAIN` or `EXPLAIN QUERY PLAN`, if the statement has one. */
export function skipExplain(tokens: readonly Lexeme[]): number {
  if (tokens[0]?.keyword !== 'EXPLAIN') return 0;
  return tokens[1]?.keyword === 'QUERY' && tokens[2]?.keyword === 'PLAN' ? 3 : 1;
}

function isTrigger(tokens: readonly Lexeme[]): boolean {
  const at = skipExplain(tokens);
  if (tokens[at]?.keyword !== 'CREATE') return false;
  const what = tokens[at + 1]?.keyword;
  return what === 'TRIGGER' || (isTemporary(what) && tokens[at + 2]?.keyword === 'TRIGGER');
}

function isTemporary(keyword: string | undefined): boolean {
  return keyword === 'TEMP' || keyword === 'TEMPORARY';
}

/** The `END` of a `CASE` never follows a semicolon, so this one is the trigger's own. */
function endsTrigger(tokens: readonly Lexeme[]): boolean {
  return tokens.at(-1)?.keyword === 'END' && tokens.at(-2)?.text === ';';
}

function shift(tokens: readonly Lexeme[], by: number): readonly Lexeme[] {
  if (by === 0) return tokens;
  return tokens.map((token) => ({ ...token, start: token.start - by, end: token.end - by }));
}

/** White space between two statements belongs to neither, comments belong to the second one. */
function skipSpace(sql: string, start: number): number {
  const space = /[ \t\n\f\r]*/y;
  space.lastIndex = start;
  space.test(sql);
  return space.lastIndex;
}
