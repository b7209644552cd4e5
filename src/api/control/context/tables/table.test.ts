import { deepEqual, equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { createRuntime, DurableObject } from '#objects';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytes, flag, json, nullable, text, whole } from './columns.ts';
import { contains, type QueryOf, type RowOf, Table } from './table.ts';

const things = new Table('things', {
  sequence: 'rowid',
  columns: {
    id: text({ isUnique: true }),
    kind: text<'a' | 'b'>(),
    isPaused: flag(),
    tags: json<readonly string[]>(),
    note: nullable(text()),
    createdAtMs: whole(),
  },
  attached: ['CREATE INDEX IF NOT EXISTS things_by_kind ON things (kind)'],
  order: 'sequence',
  filters: {
    paused: 'paused = ?',
    note: contains('note'),
    tagged: { true: "tags <> '[]'", false: "tags = '[]'" },
  },
});
const pairs = new Table('pairs', {
  key: ['left', 'right'],
  isWithoutRowid: true,
  columns: { left: text(), right: whole(), weight: whole({ fallback: 0 }) },
});
const links = new Table('links', { key: ['from', 'to'], columns: { from: text(), to: text() } });
const only = new Table('only', { key: [], columns: { secret: bytes() } });
const mark = new Table('mark', { key: [], columns: {} });
const named = new Table('named', { columns: { id: text(), isOpen: flag() } });
const tables = [things, pairs, only, mark, named];

const first = { id: '1', kind: 'a', isPaused: true, tags: ['x'], note: null, createdAtMs: 5 } as const;
const second = { ...first, id: '2', kind: 'b', isPaused: false, note: 'Noted', tags: [] } as const;

class Holder extends DurableObject {
  readonly #sql = this.ctx.storage.sql;

  create(): void {
    for (const table of tables) table.create(this.#sql);
    for (const table of tables) table.create(this.#sql);
    things.insert(this.#sql, first);
    things.insert(this.#sql, second);
  }

  /** These run inside the object, where the database is. */
  readAndWrite(): void {
    const sql = this.#sql;
    throws(() => things.insert(sql, first), /UNIQUE/);
    deepEqual(things.list(sql), [first, second]);
    deepEqual(things.select(sql, 'WHERE paused = ?', 1), [first]);
    deepEqual(things.pick(sql, 'tags', 'ORDER BY sequence DESC'), [[], ['x']]);
    deepEqual(things.selectWith(sql, { place: 'sequence' }, 'WHERE id = ?', '2'), [{ ...second, place: 2 }]);
    deepEqual([things.get(sql, '2'), things.get(sql, '3')], [second, undefined]);
    const changed = { ...first, kind: 'b', tags: [], note: 'changed' } as const;
    things.update(sql, changed);
    deepEqual(things.list(sql), [changed, second]);
    const [joined] = sql.exec(
      'SELECT id AS thing_id, kind AS thing_kind, paused AS thing_paused, tags AS thing_tags, note AS thing_note, created_ms AS thing_created_ms FROM things',
    );
    deepEqual(things.read(joined as Record<string, string | number | null>, 'thing_'), changed);
    things.update(sql, first);
  }

  search(): void {
    const search = (query: QueryOf<typeof things>, page = 1): [number, string[]] => {
      const { total, rows } = things.search(this.#sql, { ...query, page, per_page: 1 });
      return [total, rows.map(({ id }) => id)];
    };
    deepEqual(
      [search({}), search({}, 2), search({}, 3)],
      [
        [2, ['1']],
        [2, ['2']],
        [2, []],
      ],
    );
    deepEqual(search({ paused: false }), [1, ['2']]);
    deepEqual(
      [search({ note: 'NOTE' }), search({ note: '' })],
      [
        [1, ['2']],
        [2, ['1']],
      ],
    );
    deepEqual(
      [search({ tagged: true }), search({ tagged: 'false' })],
      [
        [1, ['1']],
        [1, ['2']],
      ],
    );
    deepEqual(search({ tagged: true, paused: false }), [0, []]);
  }

  count(): void {
    const sql = this.#sql;
    deepEqual([things.count(sql), things.count(sql, 'WHERE kind = ?', 'b')], [2, 1]);
    deepEqual([things.hasAtLeast(sql, 2), things.hasAtLeast(sql, 3)], [true, false]);
    things.remove(sql, '1');
    deepEqual([things.count(sql), things.hasAtLeast(sql, 1), things.hasAtLeast(sql, 2)], [1, true, false]);
    things.remove(sql, '2');
    deepEqual([things.count(sql), things.hasAtLeast(sql, 1)], [0, false]);
  }

  put(): void {
    const sql = this.#sql;
    named.put(sql, { id: 'n', isOpen: true });
    named.put(sql, { id: 'n', isOpen: false });
    deepEqual(named.list(sql), [{ id: 'n', isOpen: false }]);
    pairs.put(sql, { left: 'l', right: 1, weight: 5 });
    pairs.put(sql, { left: 'l', right: 2, weight: 6 });
    pairs.put(sql, { left: 'l', right: 2, weight: 4 }, 'excluded.weight > weight');
    deepEqual([pairs.get(sql, 'l', 1)?.weight, pairs.get(sql, 'l', 2)?.weight], [5, 6]);
    pairs.remove(sql, 'l', 1);
    deepEqual(pairs.pick(sql, 'right'), [2]);
    equal(only.get(sql), undefined);
    only.put(sql, { secret: Uint8Array.of(1, 2) });
    only.put(sql, { secret: Uint8Array.of(3) });
    deepEqual(only.list(sql), [{ secret: Uint8Array.of(3) }]);
    mark.put(sql, {});
    mark.put(sql, {});
    deepEqual([mark.get(sql), mark.count(sql)], [{}, 1]);
    mark.remove(sql);
    equal(mark.get(sql), undefined);
  }
}

test('Table reads, finds, counts and replaces what it wrote, by the names that its columns have in SQL', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-table-'));
  const runtime = await createRuntime({ directory, classes: { Holder: { class: Holder, storage: 'sql' } } });
  t.after(async () => {
    await runtime.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const holder = runtime.namespace<Holder>('Holder').getByName('one');
  await holder.create();
  await holder.readAndWrite();
  await holder.search();
  await holder.count();
  await holder.put();
});

test('Table creates the columns in their order, a key of none, one or several columns, and what is attached', () => {
  const creations = [...tables, links].flatMap(({ creation }) =>
    creation.map((each) => each.replace('CREATE TABLE IF NOT EXISTS ', '').replaceAll(/\s+/g, ' ')),
  );
  deepEqual(creations, [
    'things ( sequence INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, paused INTEGER NOT NULL, tags TEXT NOT NULL, note TEXT, created_ms INTEGER NOT NULL )',
    'CREATE INDEX IF NOT EXISTS things_by_kind ON things (kind)',
    'pairs ( left TEXT NOT NULL, right INTEGER NOT NULL, weight INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (left, right) ) WITHOUT ROWID',
    'only ( one INTEGER PRIMARY KEY CHECK (one = 1), secret BLOB NOT NULL )',
    'mark ( one INTEGER PRIMARY KEY CHECK (one = 1) )',
    'named ( id TEXT PRIMARY KEY, open INTEGER NOT NULL )',
    'links ( from TEXT NOT NULL, to TEXT NOT NULL, PRIMARY KEY (from, to) )',
  ]);
});

test('RowOf is what the columns say, and nothing wider', () => {
  type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
  type Expected = {
    readonly id: string;
    readonly kind: 'a' | 'b';
    readonly isPaused: boolean;
    readonly tags: readonly string[];
    readonly note: string | null;
    readonly createdAtMs: number;
  };
  const isEqual: Equal<RowOf<typeof things>, Expected> = true;
  equal(isEqual, true);
  // @ts-expect-error -- the key is a text and a number
  const getByText = (sql: never): unknown => pairs.get(sql, 'l', '1');
  // @ts-expect-error -- there is no such column
  const describeKey = (): unknown => new Table('wrong', { key: ['name'], columns: { id: text() } });
  deepEqual([typeof getByText, typeof describeKey], ['function', 'function']);
});
