import { deepEqual } from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { maskSecrets } from './mask-secrets.ts';

test('maskSecrets overwrites the secrets of a database, sets off no trigger, and keeps the triggers', () => {
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
  maskSecrets(database, [['custom_certificates', 'sealed_key']]);
  deepEqual(read('SELECT * FROM custom_certificates'), ['a', 'hidden-1', 'b', 'hidden-2']);
  deepEqual(read('SELECT * FROM noted'), []);
  deepEqual(read("SELECT name FROM sqlite_schema WHERE type = 'trigger'"), ['note']);
});

test('maskSecrets leaves a database alone whose tables do not exist yet', () => {
  using database = new DatabaseSync(':memory:');
  maskSecrets(database, [['custom_certificates', 'sealed_key']]);
});
