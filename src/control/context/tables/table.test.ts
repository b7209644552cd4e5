import { deepEqual, equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { createRuntime, DurableObject } from '#objects';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { flag, json, nullable, Table, text, whole } from './table.ts';

const things = new Table('things', {
  order: 'sequence INTEGER PRIMARY KEY',
  columns: {
    id: text({ isUnique: true }),
    kind: text<'a' | 'b'>(),
    isPaused: flag(),
    tags: json<readonly string[]>(),
    note: nullable(text()),
    createdAtMs: whole(),
  },
});
const named = new Table('named', { columns: { id: text(), isOpen: flag() } });

const first = { id: '1', kind: 'a', isPaused: true, tags: ['x'], note: null, createdAtMs: 5 } as const;
const second = { ...first, id: '2', kind: 'b', isPaused: false, note: 'n' } as const;

class Holder extends DurableObject {
  /** Runs inside the object, where the database is. */
  tryAll(): void {
    const { sql } = this.ctx.storage;
    for (const { creation } of [things, named]) sql.exec(creation);
    for (const { creation } of [things, named]) sql.exec(creation);
    things.insert(sql, first);
    things.insert(sql, second);
    throws(() => things.insert(sql, first), /UNIQUE/);
    deepEqual(things.select(sql, 'ORDER BY sequence'), [first, second]);
    deepEqual(things.select(sql, 'WHERE paused = ?', 1), [first]);
    deepEqual([things.get(sql, '2'), things.get(sql, '3')], [second, undefined]);
    deepEqual([things.count(sql), things.count(sql, 'WHERE kind = ?', 'b')], [2, 1]);
    const changed = { ...first, kind: 'b', tags: [], note: 'changed' } as const;
    things.update(sql, changed);
    deepEqual(things.select(sql, 'ORDER BY sequence'), [changed, second]);
    things.remove(sql, '2');
    equal(things.count(sql), 1);
    named.put(sql, { id: 'n', isOpen: true });
    named.put(sql, { id: 'n', isOpen: false });
    deepEqual(named.select(sql), [{ id: 'n', isOpen: false }]);
    const [joined] = sql.exec(
      'SELECT id AS thing_id, kind AS thing_kind, paused AS thing_paused, tags AS thing_tags, note AS thing_note, created_ms AS thing_created_ms FROM things',
    );
    deepEqual(things.read(joined as Record<string, string | number | null>, 'thing_'), changed);
  }
}

test('Table reads what it wrote, by the names that its columns have in SQL', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-table-'));
  const runtime = await createRuntime({ directory, classes: { Holder: { class: Holder, storage: 'sql' } } });
  t.after(async () => {
    await runtime.close();
    rmSync(directory, { recursive: true, force: true });
  });
  await runtime.namespace<Holder>('Holder').getByName('one').tryAll();
});

test('Table creates the columns in their order, and a primary key', () => {
  equal(
    named.creation.replaceAll(/\s+/g, ' '),
    'CREATE TABLE IF NOT EXISTS named ( id TEXT PRIMARY KEY, open INTEGER NOT NULL )',
  );
  equal(things.columnNames, 'id, kind, paused, tags, note, created_ms');
});
