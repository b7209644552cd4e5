import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { findErrorOffset } from './error-offset.ts';
import { splitStatements } from './statements.ts';

test('findErrorOffset asks few times where a syntax error could be in many places', () => {
  const sql = `SELECT (${'(1), '.repeat(1_000)}) , )`;
  let asked = 0;
  const offset = findErrorOffset(
    'near ")": syntax error',
    splitStatements(sql)[0]!,
    (part) => {
      asked++;
      return part.length >= 3_000 ? 'near ")": syntax error' : 'incomplete input';
    },
    100,
  );
  equal(offset, sql.indexOf(')', 2_999));
  equal(asked <= 11, true);
});

test('findErrorOffset counts bytes, not characters', () => {
  const statement = splitStatements("SELECT 'é😀', nope")[0]!;
  equal(
    findErrorOffset('no such column: nope', statement, () => 'no such column: Nope', 100),
    Buffer.byteLength("SELECT 'é😀', "),
  );
});

test('findErrorOffset gives none when no name in the text is the one', () => {
  const statement = splitStatements('SELECT nope FROM v')[0]!;
  equal(
    findErrorOffset('no such column: nope', statement, () => 'no such column: nope', 100),
    undefined,
  );
  equal(
    findErrorOffset('no such table: nope', statement, () => undefined, 100),
    undefined,
  );
});

test('findErrorOffset gives up after a bounded number of places', () => {
  const statement = splitStatements(`SELECT ${'nope, '.repeat(5_000)} 1`)[0]!;
  let asked = 0;
  findErrorOffset('no such column: nope', statement, () => (asked++, 'no such column: nope'), 100);
  equal(asked <= 32, true);
});
