import { equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from './testing.ts';

const list = (count: number, item: string): string => Array(count).fill(item).join(', ');

test('SqlDatabase enforces the limits of workerd with its messages', () => {
  using opened = openTestDatabase();
  const { database } = opened;
  const cases: Array<[allowed: string, refused: string, message: string]> = [
    [
      `CREATE TABLE c100 (${Array.from({ length: 100 }, (_, at) => `c${at}`).join(', ')})`,
      `CREATE TABLE c101 (${Array.from({ length: 101 }, (_, at) => `c${at}`).join(', ')})`,
      'too many columns on c101: SQLITE_ERROR',
    ],
    [
      `SELECT 1 -- ${'x'.repeat(99_988)}`,
      `SELECT 1 -- ${'x'.repeat(99_989)}`,
      'statement too long: SQLITE_TOOBIG',
    ],
    [
      `SELECT 1 -- ${'é'.repeat(49_994)}`,
      `SELECT 1 -- ${'é'.repeat(49_995)}`,
      'statement too long: SQLITE_TOOBIG',
    ],
    [
      `SELECT 1${' + 1'.repeat(98)}`,
      `SELECT 1${' + 1'.repeat(100)}`,
      'Expression tree is too large (maximum depth 100): SQLITE_ERROR',
    ],
    [
      Array(5).fill('SELECT 1').join(' UNION '),
      Array(6).fill('SELECT 1').join(' UNION '),
      'too many terms in compound SELECT: SQLITE_ERROR',
    ],
    [
      `VALUES ${list(500, '(1)')}`,
      `SELECT max(${list(128, '1')})`,
      'too many arguments on function max at offset 7: SQLITE_ERROR',
    ],
    [
      `SELECT 'a' LIKE '${'%'.repeat(50)}'`,
      `SELECT 'a' LIKE '${'%'.repeat(51)}'`,
      'LIKE or GLOB pattern too complex: SQLITE_ERROR',
    ],
    [
      'SELECT length(zeroblob(8388642))',
      'SELECT length(zeroblob(8388643) || 1)',
      'string or blob too big: SQLITE_TOOBIG',
    ],
  ];
  for (const [allowed, refused, message] of cases) {
    database.exec(allowed).toArray();
    throws(() => database.exec(refused).toArray(), { message }, message);
  }
});

test('SqlDatabase limits parameters and says where the first is that is too many', () => {
  using opened = openTestDatabase();
  const { database } = opened;
  equal(database.exec(`SELECT ${list(100, '?')}`, ...Array(100).fill(1)).columnNames.length, 100);
  throws(() => database.exec(`SELECT ${list(101, '?')}`), {
    message: 'too many SQL variables at offset 307: SQLITE_ERROR',
  });
  throws(() => database.exec('SELECT ?100, ?101'), {
    message: 'variable number must be between ?1 and ?100 at offset 13: SQLITE_ERROR',
  });
});

test('SqlDatabase limits values that are bound, and triggers that call each other', () => {
  using opened = openTestDatabase();
  const { database } = opened;
  throws(() => database.exec('SELECT ?', 'x'.repeat(8_388_643)), {
    message: 'string or blob too big: SQLITE_TOOBIG',
  });
  database.exec('CREATE TABLE t (a); PRAGMA recursive_triggers = on');
  database.exec(
    'CREATE TRIGGER r AFTER INSERT ON t WHEN new.a > 0 BEGIN INSERT INTO t VALUES (new.a - 1); END',
  );
  database.exec('INSERT INTO t VALUES (5)');
  throws(() => database.exec('INSERT INTO t VALUES (20)'), /too many levels of trigger recursion/);
});

test('SqlDatabase takes other limits from its owner', () => {
  using opened = openTestDatabase({ limits: { variableNumber: 2, sqlLength: 30 } });
  throws(() => opened.database.exec('SELECT ?, ?, ?', 1, 2, 3), /too many SQL variables at offset 13/);
  throws(() => opened.database.exec(`SELECT 1 -- ${'x'.repeat(30)}`), /statement too long/);
});
