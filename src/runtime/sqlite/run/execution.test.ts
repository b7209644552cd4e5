import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { SqlCursor } from '../../sqlite.ts';
import { openTestDatabase } from '../testing.ts';

/**
 * A statement with a new text is always stepped row by row. One that has been run before may take any of the shortcuts.
 * The difference must not be observable, whatever is done in between.
 */
const queries = [
  ['SELECT * FROM t'],
  ['SELECT a FROM t WHERE id = ?', 2],
  ['SELECT id, a FROM t WHERE id >= ? LIMIT ?', 2, 3],
  ['SELECT a FROM t WHERE b = ?', 1],
  ['SELECT count(*) AS n, max(a) AS m FROM t'],
  ['SELECT sum(a) AS s FROM t'],
  ['SELECT abs(a) AS x FROM t WHERE id = ?', 3],
  ['SELECT a || b AS x FROM t ORDER BY a DESC'],
  ['SELECT t.a, u.a AS c FROM t JOIN u ON u.a = t.id'],
  ['SELECT b, count(*) AS n FROM t GROUP BY b'],
  ['SELECT a FROM t WHERE id IN (1, 3)'],
  ['SELECT a FROM t UNION ALL SELECT a FROM u'],
  ['SELECT (SELECT max(a) FROM u) AS x FROM t LIMIT 2'],
] as const;

const writes = [
  'UPDATE t SET a = a + 10',
  'DELETE FROM t WHERE id = (SELECT max(id) FROM t)',
  'INSERT INTO t (a, b) VALUES (7, 1)',
  'DELETE FROM u',
  'INSERT INTO u VALUES (1), (2)',
  'UPDATE t SET a = -9223372036854775808 WHERE id = 3',
  'UPDATE t SET a = 9007199254740993 WHERE id = 2',
  'DROP TABLE u',
  'CREATE TABLE IF NOT EXISTS u (a)',
  'CREATE INDEX IF NOT EXISTS i ON t (b)',
  'DROP INDEX IF EXISTS i',
] as const;

type Step =
  | { readonly do: 'exec'; readonly query: number }
  | { readonly do: 'write'; readonly write: number }
  | { readonly do: 'next' | 'toArray' | 'one' | 'raw' | 'rest'; readonly cursor: number }
  | { readonly do: 'savepoint' | 'rollback' | 'commit' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('exec' as const), query: fc.nat(queries.length - 1) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('write' as const), write: fc.nat(writes.length - 1) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'next' as const,
        'toArray' as const,
        'one' as const,
        'raw' as const,
        'rest' as const,
      ),
      cursor: fc.nat(3),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('savepoint' as const, 'rollback' as const, 'commit' as const),
    }),
  },
);

/** Plays the steps and returns everything observable. With `fresh`, no text is ever used twice. */
function play(steps: readonly Step[], { fresh }: { fresh: boolean }): string[] {
  using opened = openTestDatabase();
  const { database } = opened;
  database.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER)');
  database.exec('CREATE TABLE u (a)');
  database.exec('INSERT INTO t (a, b) VALUES (1, 0), (2, 1), (3, 0), (4, 1)');
  database.exec('INSERT INTO u VALUES (1), (3)');
  for (const [sql, ...values] of queries)
    for (let round = 0; round < 2; round++) database.exec(sql, ...values).toArray();
  let serial = 0;
  const unique = (sql: string): string => (fresh ? `/* ${serial++} */ ${sql}` : sql);
  const cursors: SqlCursor[] = [];
  const observe = (action: () => unknown): string => {
    try {
      return JSON.stringify(action()) ?? 'undefined';
    } catch (error) {
      return (error as Error).message;
    }
  };
  const act = (now: Step): unknown => {
    switch (now.do) {
      case 'exec': {
        const [sql, ...values] = queries[now.query]!;
        cursors.unshift(database.exec(unique(sql), ...values));
        return cursors.splice(4).length;
      }
      case 'write':
        return database.exec(unique(writes[now.write]!)).toArray();
      case 'next':
        return cursors[now.cursor]?.next();
      case 'raw':
        return cursors[now.cursor]?.raw().next();
      case 'rest':
        return [...(cursors[now.cursor] ?? [])];
      case 'toArray':
        return cursors[now.cursor]?.toArray();
      case 'one':
        return cursors[now.cursor]?.one();
      case 'commit':
        if (database.isTransaction) database.execTrusted('COMMIT');
        break;
      case 'savepoint':
        database.execTrusted('SAVEPOINT s');
        break;
      case 'rollback':
        database.execTrusted('ROLLBACK TO s');
    }
    return undefined;
  };
  return steps.map((now) => observe(() => act(now)));
}

test('Execution takes no shortcut that anybody can tell', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 4, maxLength: 30 }), (steps) => {
      deepEqual(play(steps, { fresh: false }), play(steps, { fresh: true }));
    }),
    { numRuns: 80 },
  );
});
