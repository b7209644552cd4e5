import { deepEqual, equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SqlDatabase } from '#sqlite';
import { toBinaryKey } from './binary-keys.ts';
import { HiddenTables } from './hidden-tables.ts';
import type { BinaryRange, KeyValuePair } from './key-values.ts';
import { ValueCache } from './value-cache.ts';

const bytes = (count: number): Uint8Array => new Uint8Array(count).fill(1);

function openTables() {
  const lost: unknown[] = [];
  const database = new SqlDatabase(':memory:', {
    beforeWrite: () => {},
    onTransactionLost: (error) => lost.push(error),
  });
  database.execTrusted('BEGIN');
  return { database, lost, tables: new HiddenTables(database) };
}

test('HiddenTables tells of a transaction that was lost while writes reached the table, and keeps them at hand', () => {
  const { database, lost, tables } = openTables();
  using _ = database;
  tables.put('early', bytes(10));
  tables.flush();
  database.execTrusted('PRAGMA max_page_count = 6');
  tables.put('late', bytes(100_000));
  throws(() => tables.flush(), /SQLITE_FULL/);
  deepEqual([lost.length, database.isTransaction], [1, false]);
  throws(() => tables.flush());
  equal(tables.get('late')?.length, 100_000);
});

test('HiddenTables keeps the value a key has when a larger one is refused', () => {
  const { database, tables } = openTables();
  using _ = database;
  tables.put('key', bytes(4));
  throws(() => tables.put('key', bytes(64 * 1024 * 1024)), /SQLITE_TOOBIG/);
  equal(tables.get('key')?.length, 4);
  tables.flush();
  equal(tables.get('key')?.length, 4);
  tables.put('key', bytes(1024 * 1024));
  equal(tables.get('key')?.length, 1024 * 1024);
});

const everything: BinaryRange = { start: '', end: undefined, reverse: false, limit: undefined };

/** Records the queries that were run, shortened to the columns they selected. */
function watchQueries(database: SqlDatabase): string[] {
  const asked: string[] = [];
  const { prepareTrusted } = database;
  database.prepareTrusted = (sql, options) => {
    const statement = prepareTrusted.call(database, sql, options);
    const columns = /^SELECT (.*) FROM _cf_KV WHERE key >=/.exec(sql)?.[1];
    if (columns === undefined) return statement;
    const { all } = statement;
    statement.all = (...values) => (asked.push(columns), all.apply(statement, values)) as never;
    return statement;
  };
  return asked;
}

test('HiddenTables.list reads values from the table only if the cache lacks one', () => {
  const { database } = openTables();
  using _ = database;
  const asked = watchQueries(database);
  const written = new HiddenTables(database, new ValueCache(1_000_000));
  for (let i = 0; i < 100; i++) written.put(`key-${i}`, bytes(i));
  equal(written.list(everything).length, 100);
  deepEqual(asked.splice(0), ['key']);
  // Other values under the same keys do not change the set of keys; another key does.
  for (let i = 0; i < 100; i++) written.put(`key-${i}`, bytes(i + 1));
  equal(written.list(everything)[0]![1].length, 1);
  deepEqual(asked.splice(0), []);
  written.put('key-100', bytes(1));
  equal(written.list(everything).length, 101);
  written.delete('key-100');
  equal(written.list(everything).length, 100);
  deepEqual(asked.splice(0), ['key', 'key']);
  // As after a wake: the rows are in the table, none of them in the cache.
  const woken = new HiddenTables(database, new ValueCache(1_000_000));
  deepEqual(woken.list({ ...everything, limit: 50 }, { noCache: true }).length, 50);
  deepEqual(asked.splice(0), ['key', 'value']);
  const listed = woken.list(everything);
  deepEqual(asked.splice(0), ['key', 'value']);
  deepEqual(woken.list(everything), listed);
  deepEqual(asked.splice(0), []);
  woken.put('\ud800', bytes(1));
  deepEqual(woken.list(everything).at(-1), [toBinaryKey('\ud800'), bytes(1)]);
  deepEqual(asked.splice(0), ['key', 'CAST(key AS BLOB), value']);
});

test('HiddenTables.list and iterate give what a sorted map would, however little the cache holds', () => {
  const key = fc.oneof(
    fc.constantFrom(
      '',
      '\0',
      'a',
      'a\0',
      'a\0b',
      'ab',
      '\ufffd',
      '\uffff',
      '\ud800',
      'x\udfff',
      '\u{1f600}',
      '\u00e9',
    ),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
    fc.integer({ min: 0, max: 300 }).map((n) => `k${n}`),
  );
  const write = fc.record({ key, size: fc.option(fc.integer({ min: 1, max: 40 }), { freq: 4 }) });
  const range = fc.record({
    start: fc.oneof(fc.constant(''), key.map(toBinaryKey)),
    end: fc.option(key.map(toBinaryKey), { nil: undefined }),
    reverse: fc.boolean(),
    limit: fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined }),
  });
  // Few ranges, each listed repeatedly: later lists use what an earlier one remembered.
  const ranges = fc.array(range, { minLength: 1, maxLength: 3 });
  const steps = fc.array(fc.tuple(fc.array(write, { maxLength: 120 }), fc.nat(), fc.boolean()), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(ranges, steps, fc.constantFrom(0, 2_000, 1_000_000), (choices, rounds, cacheBytes) => {
      const { database } = openTables();
      using _ = database;
      const tables = new HiddenTables(database, new ValueCache(cacheBytes));
      let model = new Map<string, Uint8Array>();
      for (const [writes, choice, undo] of rounds) {
        const asked = choices[choice % choices.length]!;
        const before = new Map(model);
        if (undo) {
          tables.flush();
          database.execTrusted('SAVEPOINT undone');
        }
        for (const { key: name, size } of writes) {
          if (size === null) {
            tables.delete(name);
            model.delete(toBinaryKey(name));
          } else {
            tables.put(name, bytes(size));
            model.set(toBinaryKey(name), bytes(size));
          }
        }
        const expected = rowsOf(model, asked);
        deepEqual(tables.list(asked), expected);
        deepEqual([...HiddenTables.iterate(() => tables, asked)], expected);
        if (!undo) continue;
        database.execTrusted('ROLLBACK TO undone');
        tables.rolledBack();
        model = before;
        deepEqual(tables.list(asked), rowsOf(model, asked));
      }
    }),
    { numRuns: 60 },
  );
});

function rowsOf(
  model: ReadonlyMap<string, Uint8Array>,
  { start, end, reverse, limit }: BinaryRange,
): KeyValuePair[] {
  const rows = [...model].filter(([key]) => key >= start && (end === undefined || key < end));
  rows.sort(([a], [b]) => (a < b ? -1 : 1));
  return (reverse ? rows.reverse() : rows).slice(0, limit);
}
