/**
 * workerd's recorded answers to about five hundred statements, run in sequence in one database. Where the answers here
 * differ on purpose, the reason is given.
 */
import { deepEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { SqlDatabase } from './database.ts';
import { openTestDatabase } from './testing.ts';

interface Answer {
  readonly sql: string;
  readonly values?: readonly unknown[];
  readonly error?: string;
  readonly columns?: readonly string[];
  readonly rows?: readonly (readonly unknown[])[];
}

const differences: Readonly<Record<string, string>> = {
  'pragma case_sensitive_like': 'refused: SQLite would change LIKE in every database of the process',
  'insert or rollback into u values(1,2,3)': 'refused: it could undo the whole transaction',
  'select 1; -- c': 'a comment after the last statement does no harm',
  'select 1;;': 'an empty statement does no harm',
  'select 1; ;': 'an empty statement does no harm',
  'select 1;/* */': 'a comment after the last statement does no harm',
  'select 1\0': 'the message says what is wrong with it',
  'select 1;\0': 'the message says what is wrong with it',
  "select 'a\0b'": 'the message says what is wrong with it',
  'select 1; select ?': 'the same message as for a single statement',
  'update u set x=t.a from t where t.id=u.x limit 1': 'UPDATE … FROM … LIMIT is not offered',
  'insert into t(a) values(1) returning nope': 'workerd loses the offset when the table has triggers as well',
  'select a from t union select b from t order by 9': 'no offset is derived for this message',
  'create index b on t(random())': 'no offset is derived for this message',
};

const recorded = JSON.parse(
  readFileSync(new URL('testdata/answers.json', import.meta.url), 'utf8'),
) as Record<string, Answer[]>;

function ask(database: SqlDatabase, { sql, values = [] }: Answer): Omit<Answer, 'sql' | 'values'> {
  try {
    const cursor = database.exec(sql, ...values);
    return { columns: cursor.columnNames, rows: cursor.raw().toArray() };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

function known(answers: readonly Answer[]): Set<string> {
  return new Set(answers.map(({ sql }) => sql).filter((sql) => sql in differences));
}

for (const [name, answers] of Object.entries(recorded)) {
  test(`SqlDatabase.exec answers as workerd did, ${name} recording`, () => {
    using opened = openTestDatabase();
    const unlike = new Set<string>();
    for (const answer of answers) {
      const { sql, values: _, ...expected } = answer;
      const given = ask(opened.database, answer);
      if (JSON.stringify(given) !== JSON.stringify(expected)) unlike.add(sql);
    }
    deepEqual([...unlike], [...known(answers)]);
  });

  test(`SqlDatabase.exec gives the same rows however often it runs, ${name} recording`, () => {
    using opened = openTestDatabase();
    const { database } = opened;
    const reading = /^[\s;]*(?:select|with|values|explain|pragma)/i;
    for (const answer of answers) {
      const first = ask(database, answer);
      if (!reading.test(answer.sql)) continue;
      for (let again = 0; again < 3; again++) deepEqual(ask(database, answer), first, answer.sql);
    }
  });
}
