import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openTestDatabase } from './testing.ts';
import { splitStatements } from './text/statements.ts';
import { tokenize } from './text/tokens.ts';

const secret = 'the secret of the storage';

const pieces = (
  'SELECT FROM WHERE INSERT INTO VALUES UPDATE SET DELETE CREATE TABLE INDEX VIEW TRIGGER VIRTUAL USING fts5 rtree DROP ALTER RENAME TO ' +
  'ADD COLUMN BEGIN END COMMIT ROLLBACK SAVEPOINT PRAGMA table_info EXPLAIN QUERY PLAN WITH RECURSIVE AS UNION ALL JOIN ON ORDER BY ' +
  'LIMIT GROUP HAVING RETURNING CONFLICT DO NOTHING OR REPLACE ATTACH VACUUM INTO ANALYZE REINDEX CASE WHEN THEN temp main ' +
  `_cf_KV "_cf_KV" [_cf_KV] _cf_x t u a b key value * , . ; ( ) = < || -> ? ?1 :a 1 2.5 'x' "a" x'00' NULL count max ` +
  "abs json_each('[1]') pragma_table_info('t') pragma_table_info('_cf_KV') sqlite_master content='_cf_KV' -- /* */ ' \" [ $ @"
).split(' ');

const units = fc.array(fc.nat(0xffff)).map((codes) => String.fromCharCode(...codes));
const sentences = fc.array(fc.constantFrom(...pieces), { maxLength: 25 }).map((words) => words.join(' '));
const templates = fc
  .tuple(
    fc.constantFrom(
      'SELECT * FROM # WHERE #',
      'INSERT INTO t SELECT # FROM #',
      'CREATE VIEW v# AS SELECT * FROM #',
      'CREATE TRIGGER g# AFTER INSERT ON t BEGIN INSERT INTO u SELECT # FROM #; END; INSERT INTO t VALUES (1, 2)',
      'ALTER TABLE # RENAME TO #',
      'WITH # AS (SELECT * FROM #) SELECT * FROM #',
      'SELECT (SELECT # FROM #) FROM #',
      "CREATE VIRTUAL TABLE w# USING fts5(value, content='#'); SELECT * FROM w",
      'UPDATE t SET a = (SELECT # FROM #) RETURNING a',
      'DELETE FROM # WHERE # LIMIT 1',
    ),
    fc.array(fc.constantFrom(...pieces), { minLength: 4, maxLength: 4 }),
  )
  .map(([template, words]) => {
    let at = 0;
    return template.replaceAll('#', () => words[at++ % words.length]!);
  });

test('SqlDatabase.exec survives any text, and never gives away reserved data', () => {
  using opened = openTestDatabase();
  const { database } = opened;
  database.execTrusted('CREATE TABLE _cf_KV (key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID');
  database.execTrusted(`INSERT INTO _cf_KV VALUES ('${secret}', '${secret}')`);
  database.exec('CREATE TABLE t (a, b); CREATE TABLE u (a, b)');
  const any = fc.oneof(sentences, templates, fc.string(), units);
  fc.assert(
    fc.property(any, (sql) => {
      const answers: unknown[] = [];
      try {
        answers.push(...database.exec(sql).raw().take(100));
      } catch (error) {
        equal((error as Error).message.startsWith('bug'), false);
        equal(['Error'].includes((error as Error).name), true, String(error));
        answers.push((error as Error).message);
      }
      equal(JSON.stringify(answers).includes(secret), false, sql);
    }),
    { numRuns: 1_500 },
  );
  equal(database.prepareTrusted('SELECT value FROM _cf_KV').get()?.value, secret);
  equal(
    database.exec("SELECT count(*) AS n FROM sqlite_master WHERE name LIKE '\\_cf%' ESCAPE '\\'").one().n,
    1,
  );
});

test('splitStatements loses nothing but what stands between statements', () => {
  fc.assert(
    fc.property(sentences, (sql) => {
      const words = (text: string): string[] =>
        tokenize(text)
          .map((token) => token.text)
          .filter((text_) => text_ !== ';');
      equal(
        splitStatements(sql)
          .flatMap((part) => words(part.sql))
          .join(' '),
        words(sql).join(' '),
      );
    }),
    { numRuns: 500 },
  );
});
