import { deepEqual } from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { maskSecrets } from './secret-columns.ts';

test('maskSecrets overwrites the secrets of a class, sets off no trigger, and keeps the triggers', () => {
  using database = new DatabaseSync(':memory:');
  database.exec(`CREATE TABLE custom_certificates (id TEXT, sealed_key TEXT NOT NULL UNIQUE);
    CREATE TABLE noted (id TEXT);
    CREATE TRIGGER note AFTER UPDATE ON custom_certificates BEGIN INSERT INTO noted VALUES (NEW.id); END;
    INSERT INTO custom_certificates VALUES ('a', 'one'), ('b', 'two')`);
  const read = (sql: string): unknown[] =>
    database
      .prepare(sql)
      .all()
      .flatMap((row) => Object.values(row));
  maskSecrets(database, 'Zone');
  deepEqual(read('SELECT * FROM custom_certificates'), ['a', 'hidden-1', 'b', 'hidden-2']);
  deepEqual(read('SELECT * FROM noted'), []);
  deepEqual(read("SELECT name FROM sqlite_schema WHERE type = 'trigger'"), ['note']);
});

test('maskSecrets leaves a database alone whose class has no secrets, or whose tables do not exist yet', () => {
  using database = new DatabaseSync(':memory:');
  for (const className of ['Counter', 'Account', 'Zone', 'Sessions']) maskSecrets(database, className);
});
