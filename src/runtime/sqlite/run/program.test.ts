import { deepEqual } from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { type StatementProgram, analyzeProgram } from './program.ts';
import type { ExplainRow } from '../row-counts/bytecode.ts';

const database = new DatabaseSync(':memory:');
database.exec(`
  CREATE TABLE t (id INTEGER PRIMARY KEY, a, b UNIQUE, g AS (abs(a)));
  CREATE INDEX i ON t (a);
  CREATE TABLE logged (a);
  CREATE TRIGGER r AFTER INSERT ON logged BEGIN INSERT INTO t (a) VALUES (new.a); END;
`);

function analyze(sql: string): StatementProgram {
  return analyzeProgram(database.prepare(`EXPLAIN ${sql}`).all() as unknown as ExplainRow[]);
}

test('analyzeProgram knows which reads cannot fail and which give one row', () => {
  const cases: Array<[sql: string, deferrable: boolean, singleRow: boolean]> = [
    ['SELECT a FROM t WHERE id = ?', true, true],
    ['SELECT a FROM t WHERE b = ?', true, true],
    ['SELECT a FROM t WHERE a = ?', true, false],
    ['SELECT * FROM logged', true, false],
    ['SELECT a FROM t ORDER BY id DESC LIMIT 10', true, false],
    ['SELECT count(*) FROM t', true, true],
    ['SELECT count(*), max(a) FROM t WHERE a > ?', true, true],
    ['SELECT lower(a) FROM t WHERE id = 1', true, true],
    ['SELECT abs(a) FROM t WHERE id = 1', false, true],
    ['SELECT g FROM t WHERE id = 1', false, true],
    ['SELECT sum(a) FROM t', false, true],
    ['SELECT a FROM t WHERE a LIKE ?', false, false],
    ['SELECT a FROM logged ORDER BY a', false, false],
    ['SELECT a || b FROM t', false, false],
    ['SELECT a FROM t UNION ALL SELECT a FROM logged', true, false],
    ['SELECT 1 UNION ALL SELECT 2', true, false],
    ["SELECT value FROM json_each('[1]')", false, false],
    ['INSERT INTO logged VALUES (1)', false, false],
    ['UPDATE t SET a = 1 RETURNING a', false, false],
  ];
  for (const [sql, deferrable, singleRow] of cases) {
    const program = analyze(sql);
    deepEqual([program.deferrable, program.singleRow], [deferrable, singleRow], sql);
  }
});

test('analyzeProgram knows parameters that have to be integers', () => {
  deepEqual(analyze('SELECT a FROM t WHERE a = ? LIMIT ? OFFSET ?').integerParameters, [1, 2]);
  deepEqual(analyze('SELECT a FROM t WHERE a = ? LIMIT ?').deferrable, true);
  deepEqual(analyze('SELECT a FROM t LIMIT ? + 1').deferrable, false);
});

test('analyzeProgram knows which counters can move and whether triggers run', () => {
  deepEqual(analyze('SELECT * FROM logged').counters, ['fullscanStep']);
  deepEqual(analyze('SELECT a FROM logged ORDER BY a').counters.toSorted(), ['fullscanStep', 'sort']);
  deepEqual(analyze('SELECT a FROM t WHERE id = 1').counters, []);
  deepEqual(analyze('INSERT INTO logged VALUES (1)').callsPrograms, true);
  deepEqual(analyze('INSERT INTO t (a) VALUES (1)').callsPrograms, false);
});
