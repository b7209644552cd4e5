import { deepEqual } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock, test } from 'node:test';
import { createRuntime, DurableObject } from '#objects';
import { added, nullable, text, whole } from './columns.ts';
import { createMissing } from './create-missing.ts';
import { Table } from './table.ts';

const first = [
  'CREATE TABLE IF NOT EXISTS things (name TEXT)',
  'CREATE UNIQUE INDEX IF NOT EXISTS things_by_name ON things (name)',
];
const second = [
  ...first,
  `CREATE TRIGGER IF NOT EXISTS things_stay BEFORE DELETE ON things
    BEGIN SELECT RAISE(ABORT, 'no; never'); END`,
  'CREATE TABLE IF NOT EXISTS others (name TEXT)',
];

const early = new Table('notes', { columns: { id: text(), textLength: whole() } });
const late = new Table('notes', {
  columns: {
    id: text(),
    kind: added(text(), "it's"),
    textLength: whole(),
    text: added(nullable(text()), null),
    size: added(whole(), 7),
  },
});

class Created extends DurableObject {
  /** Returns how many statements were executed, and what exists afterwards. */
  create(statements: readonly string[]): { executed: number; names: string[] } {
    const { sql } = this.ctx.storage;
    const exec = mock.method(sql, 'exec');
    createMissing(sql, statements);
    const executed = exec.mock.callCount();
    exec.mock.restore();
    const rows = sql.exec<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'",
    );
    return { executed, names: Array.from(rows, ({ name }) => name) };
  }

  /** Returns what a version with more columns reads of an earlier version's rows, and of its own. */
  addColumns(): unknown {
    const { sql } = this.ctx.storage;
    early.create(sql);
    early.insert(sql, { id: 'a', textLength: 1 });
    late.create(sql);
    late.create(sql);
    late.insert(sql, { id: 'b', textLength: 2, kind: 'k', text: 't', size: 3 });
    return late.list(sql);
  }
}

test('createMissing creates what a newer version adds, and only reads when there is nothing to create', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-create-'));
  const classes = { Created: { class: Created, storage: 'sql' as const } };
  const runtime = await createRuntime({ directory, classes, durability: 'os' });
  const created = runtime.namespace<Created>('Created').getByName('one');
  const names = ['things', 'things_by_name'];
  deepEqual(await created.create(first), { executed: 2, names });
  deepEqual(await created.create(first), { executed: 1, names });
  deepEqual(await created.create(second), { executed: 2, names: [...names, 'things_stay', 'others'] });
  await runtime.close();
  await rm(directory, { recursive: true });
});

test('createMissing adds columns that came later to a table that exists, once, and creates a table with all of them', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-create-'));
  const classes = { Created: { class: Created, storage: 'sql' as const } };
  const runtime = await createRuntime({ directory, classes, durability: 'os' });
  const created = runtime.namespace<Created>('Created');
  const names = ['notes', 'sqlite_autoindex_notes_1'];
  deepEqual(await created.getByName('one').addColumns(), [
    { id: 'a', textLength: 1, kind: "it's", text: null, size: 7 },
    { id: 'b', textLength: 2, kind: 'k', text: 't', size: 3 },
  ]);
  deepEqual(await created.getByName('new').create(late.creation), { executed: 2, names });
  deepEqual(await created.getByName('new').create(late.creation), { executed: 1, names });
  await runtime.close();
  await rm(directory, { recursive: true });
});
