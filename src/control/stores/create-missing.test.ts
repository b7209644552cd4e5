import { deepEqual } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock, test } from 'node:test';
import { createRuntime, DurableObject } from '#objects';
import { createMissing } from './create-missing.ts';

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

class Created extends DurableObject {
  /** Returns how many statements it took, and what there is then. */
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
