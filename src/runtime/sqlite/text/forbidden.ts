import { skipExplain } from './statements.ts';
import { type Lexeme, unquote } from './tokens.ts';

/** SQL that no object may use and that SQLite's authorizer does not check. Returns the message to refuse it with. */
export function findForbidden(tokens: readonly Lexeme[]): string | undefined {
  const first = tokens[skipExplain(tokens)]?.keyword;
  if (first === 'VACUUM') return 'cannot VACUUM from within a transaction: SQLITE_ERROR';
  if (first === 'ALTER' && renamesIntoReserved(tokens)) return 'not authorized: SQLITE_AUTH';
  if (namesRollback(tokens)) {
    return (
      'ROLLBACK cannot be used to resolve a conflict: it would undo every write since the last commit, ' +
      "not just this statement's. Use ABORT, FAIL, IGNORE or REPLACE instead."
    );
  }
  return undefined;
}

/** Names of tables, indexes, views and triggers that belong to the storage itself. */
export function isReservedName(name: string): boolean {
  return name.length >= 4 && name.slice(0, 4).toLowerCase() === '_cf_';
}

function renamesIntoReserved(tokens: readonly Lexeme[]): boolean {
  const to = tokens.findIndex((token, at) => token.keyword === 'TO' && tokens[at - 1]?.keyword === 'RENAME');
  const target = to < 0 ? undefined : tokens[to + 1];
  return target !== undefined && isReservedName(unquote(target));
}

/**
 * `INSERT OR ROLLBACK`, `ON CONFLICT ROLLBACK` and `RAISE(ROLLBACK, …)`. INSERT, UPDATE and ON are reserved words, so
 * no expression with a column called `rollback` can be mistaken for the first two.
 */
function namesRollback(tokens: readonly Lexeme[]): boolean {
  return tokens.some((token, at) => {
    if (token.keyword !== 'ROLLBACK') return false;
    const before = tokens[at - 1];
    const beforeThat = tokens[at - 2]?.keyword;
    return (
      (before?.keyword === 'OR' && (beforeThat === 'INSERT' || beforeThat === 'UPDATE')) ||
      (before?.keyword === 'CONFLICT' && beforeThat === 'ON') ||
      (before?.text === '(' && beforeThat === 'RAISE')
    );
  });
}
