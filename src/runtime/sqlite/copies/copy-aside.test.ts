import { deepEqual, equal, rejects } from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { copyDatabaseAside } from './copy-aside.ts';

function temporary(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-copy-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

test('copyDatabaseAside copies, or says what is wrong, and leaves no copy that is not whole', async (t) => {
  const directory = temporary(t);
  const [from, to] = [join(directory, 'from.sqlite'), join(directory, 'to.sqlite')];
  using database = new DatabaseSync(from);
  database.exec("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('milk')");
  await copyDatabaseAside(from, to);
  using copy = new DatabaseSync(to);
  deepEqual({ ...copy.prepare('SELECT text FROM notes').get() }, { text: 'milk' });
  const text = join(directory, 'text');
  writeFileSync(text, 'no database '.repeat(1_000));
  await rejects(copyDatabaseAside(text, `${to}.2`), {
    code: 'NOT_A_DATABASE',
    problem: 'file is not a database',
  });
  equal(existsSync(`${to}.2`), false);
});

test('copyDatabaseAside ends at once when nobody wants the copy any more', async (t) => {
  const directory = temporary(t);
  const [from, to] = [join(directory, 'from.sqlite'), join(directory, 'to.sqlite')];
  using database = new DatabaseSync(from);
  database.exec('CREATE TABLE pieces (bytes BLOB); INSERT INTO pieces VALUES (randomblob(50000000))');
  const controller = new AbortController();
  // The first check of the copy happens before the process has begun.
  await rejects(
    copyDatabaseAside(from, to, { onBytes: () => controller.abort(), signal: controller.signal }),
    {
      name: 'AbortError',
    },
  );
  equal(existsSync(to), false);
});
