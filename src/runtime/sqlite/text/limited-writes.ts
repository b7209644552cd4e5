/**
 * `DELETE … ORDER BY … LIMIT` and `UPDATE … ORDER BY … LIMIT` are SQL that workerd understands and
 * Node's build of SQLite does not. They are rewritten to name the rows by a subquery:
 *
 *     DELETE FROM t WHERE a > ? RETURNING b ORDER BY c LIMIT ?
 *     DELETE FROM t WHERE rowid IN (SELECT rowid FROM t WHERE a > ?1 ORDER BY c LIMIT ?2) RETURNING b
 *
 * Clauses change places, so every parameter gets its number. Text without the expected clauses in the expected order is
 * not changed: SQLite then reports the syntax error.
 */
import { numberParameters } from './parameters.ts';
import { skipExplain } from './statements.ts';
import { type Lexeme, unquote } from './tokens.ts';

/** How the rows of a table are identified: the names of its key columns, ready for use in SQL. */
export type KeyOf = (table: string) => readonly string[];

/** The statement in a form that Node's SQLite understands, or undefined if it needs no rewriting. */
export function rewriteLimitedWrite(
  sql: string,
  tokens: readonly Lexeme[],
  keyOf: KeyOf,
): string | undefined {
  const verbAt = findVerb(tokens);
  const verb = tokens[verbAt]?.keyword;
  if (verb !== 'DELETE' && verb !== 'UPDATE') return undefined;
  const clauses = findClauses(tokens, verbAt, verb);
  if (clauses.ORDER === undefined && clauses.LIMIT === undefined) return undefined;
  if (clauses.LIMIT === undefined) throw new Error(`ORDER BY without LIMIT on ${verb}: SQLITE_ERROR`);
  if (clauses.FROM !== undefined) throw new Error('UPDATE cannot have both FROM and LIMIT: SQLITE_ERROR');

  if (clauses.LIMIT === tokens.findLastIndex(({ text }) => text !== ';')) {
    throw new Error('incomplete input: SQLITE_ERROR');
  }

  const target = parseTarget(tokens, verbAt, verb);
  if (target === undefined || (verb === 'UPDATE' && clauses.SET !== target.end)) return undefined;
  const print = printer(sql, tokens);
  const clause = (name: ClauseName): string =>
    clauses[name] === undefined ? '' : print(...span(clauses, name, tokens.length));
  const key = keyOf(unquote(tokens[target.nameAt]!));
  const table = print(target.start, target.hintAt);
  const rows = `SELECT ${key.join(', ')} FROM ${table} ${print(target.hintAt, target.end)}`;
  const tested = key.length === 1 ? key[0]! : `(${key.join(', ')})`;
  return (
    `${print(0, target.start)} ${table} ${clause('SET')} ` +
    `WHERE ${tested} IN (${rows} ${clause('WHERE')} ${clause('ORDER')} ${clause('LIMIT')}) ${clause('RETURNING')}`
  );
}

const clauseNames = ['SET', 'FROM', 'WHERE', 'RETURNING', 'ORDER', 'LIMIT'] as const;
type ClauseName = (typeof clauseNames)[number];
type Clauses = Partial<Record<ClauseName, number>>;

/** The verb after `EXPLAIN` and `WITH`: a common table expression contains one only inside parentheses. */
function findVerb(tokens: readonly Lexeme[]): number {
  const start = skipExplain(tokens);
  if (tokens[start]?.keyword !== 'WITH') return start;
  let depth = 0;
  return tokens.findIndex(({ text, keyword }, at) => {
    depth += nesting(text);
    return at > start && depth === 0 && /^(?:DELETE|UPDATE|INSERT|REPLACE|SELECT|VALUES)$/.test(keyword);
  });
}

/** Where each clause of the statement itself begins. */
function findClauses(tokens: readonly Lexeme[], verbAt: number, verb: string): Clauses {
  const clauses: Clauses = {};
  let depth = 0;
  let previous = -1;
  for (let at = verbAt + 1; at < tokens.length; at++) {
    const { text, keyword } = tokens[at]!;
    depth += nesting(text);
    const order = depth === 0 ? clauseNames.indexOf(keyword as ClauseName) : -1;
    if (order <= previous) continue;
    // The FROM of DELETE FROM, and of IS DISTINCT FROM.
    if (keyword === 'FROM' && (verb === 'DELETE' || tokens[at - 1]?.keyword === 'DISTINCT')) continue;
    clauses[keyword as ClauseName] = at;
    previous = order;
  }
  return clauses;
}

/** A clause ends at the next one, the last one at the semicolon. */
function span(clauses: Clauses, name: ClauseName, tokenCount: number): [start: number, end: number] {
  const start = clauses[name]!;
  const later = Object.values(clauses).filter((at) => at > start);
  return [start, Math.min(tokenCount, ...later)];
}

interface TargetTable {
  readonly start: number;
  readonly nameAt: number;
  readonly hintAt: number;
  readonly end: number;
}

/** `[schema.]table [[AS] alias] [INDEXED BY index | NOT INDEXED]`, as positions of tokens. */
function parseTarget(tokens: readonly Lexeme[], verbAt: number, verb: string): TargetTable | undefined {
  let at = verbAt + 1;
  if (verb === 'DELETE' && tokens[at++]?.keyword !== 'FROM') return undefined;
  if (verb === 'UPDATE' && tokens[at]?.keyword === 'OR') at += 2;
  const start = at;
  if (tokens[at + 1]?.text === '.') at += 2;
  const nameAt = at++;
  if (tokens[nameAt] === undefined) return undefined;
  if (tokens[at]?.keyword === 'AS') at += 2;
  else if (isAlias(tokens[at])) at++;
  const hintAt = at;
  if (tokens[at]?.keyword === 'INDEXED') at += 3;
  else if (tokens[at]?.keyword === 'NOT') at += 2;
  return { start, nameAt, hintAt, end: at };
}

function isAlias(token: Lexeme | undefined): boolean {
  if (token?.kind === 'quoted' || token?.kind === 'string') return true;
  if (token?.kind !== 'word') return false;
  return (
    !(clauseNames as readonly string[]).includes(token.keyword) && !/^(?:INDEXED|NOT)$/.test(token.keyword)
  );
}

/** Prints a range of tokens as they were written, with the parameters numbered and without the semicolon. */
function printer(sql: string, tokens: readonly Lexeme[]): (start: number, end: number) => string {
  const numbers = numberParameters(tokens).numbers.values();
  const numberedBy = new Map<Lexeme, string>();
  for (const token of tokens) {
    if (token.kind === 'variable') numberedBy.set(token, `?${numbers.next().value}`);
  }
  return (start, end) =>
    tokens
      .slice(start, end)
      .filter(({ text }) => text !== ';')
      .map((token) => numberedBy.get(token) ?? sql.slice(token.start, token.end))
      .join(' ');
}

function nesting(text: string): number {
  return text === '(' ? 1 : text === ')' ? -1 : 0;
}
