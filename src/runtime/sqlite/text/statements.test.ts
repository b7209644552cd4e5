import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { skipExplain, splitStatements } from './statements.ts';

const split = (sql: string): string[] => splitStatements(sql).map((statement) => statement.sql);

test('splitStatements cuts after semicolons, not inside strings, names or comments', () => {
  deepEqual(split(`SELECT ';', ";", [;], \`;\`; SELECT /*;*/ 2 --;\n;`), [
    `SELECT ';', ";", [;], \`;\`;`,
    'SELECT /*;*/ 2 --;\n;',
  ]);
});

test('splitStatements keeps a trigger whole, with CASE … END in its body', () => {
  const trigger =
    'CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT CASE 1 WHEN 1 THEN 2 END; DELETE FROM u; END;';
  deepEqual(split(`${trigger} SELECT 1`), [trigger, 'SELECT 1']);
  deepEqual(split(`EXPLAIN ${trigger.replace('TRIGGER', 'TEMP TRIGGER')}SELECT 1`).length, 2);
  deepEqual(split(`EXPLAIN QUERY PLAN ${trigger}SELECT 1`).length, 2);
});

test('splitStatements does not take other uses of the words for a trigger', () => {
  deepEqual(split('CREATE TABLE trigger(a); SELECT 1').length, 2);
  deepEqual(split('SELECT create, trigger; SELECT 1').length, 2);
});

test('splitStatements drops what is no statement', () => {
  for (const nothing of ['', ' ', ';', ';;', '-- c', '/* c */ ; -- d'])
    deepEqual(split(nothing), [], nothing);
  deepEqual(split('SELECT 1; -- c\n;; '), ['SELECT 1;']);
});

test('splitStatements leaves what stands before a statement in it, but not white space between two', () => {
  deepEqual(split(' ; SELECT 1;  /* c */ SELECT 2'), [' ; SELECT 1;', '/* c */ SELECT 2']);
  const [, second] = splitStatements('SELECT 1;  ; SELECT 2');
  equal(second?.sql, '; SELECT 2');
  deepEqual(
    second?.tokens.map(({ text, start }) => [text, start]),
    [
      ['SELECT', 2],
      ['2', 9],
    ],
  );
});

test('skipExplain finds the statement that is explained', () => {
  const at = (sql: string): number => skipExplain(splitStatements(sql)[0]!.tokens);
  deepEqual([at('SELECT 1'), at('EXPLAIN SELECT 1'), at('explain query plan SELECT 1')], [0, 1, 3]);
});
