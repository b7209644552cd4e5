/** D1 databases: results, types, errors, batches, sessions, with the texts of workerd's binding, and Time Travel. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { refusalOf, TestProgram } from '../testing.ts';
import type { D1Database } from './d1-database.ts';

async function createNotes(DB: D1Database): Promise<void> {
  const { count, duration } = await DB.exec(
    'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT UNIQUE)\n\n  -- a comment\nSELECT 1',
  );
  equal(count, 2);
  equal(typeof duration, 'number');
}

test('D1PreparedStatement answers with rows, and with what they cost', async (t) => {
  const { DB } = (await TestProgram.open(t)).env;
  await createNotes(DB);
  const insert = DB.prepare('INSERT INTO notes (text) VALUES (?1), (?2)');
  const { success, results, meta } = await insert.bind('a', 'b').run();
  deepEqual({ success, results }, { success: true, results: [] });
  ok(meta.duration >= 0 && meta.size_after > 0);
  deepEqual(Object.keys(meta), [
    'served_by',
    'duration',
    'changes',
    'last_row_id',
    'changed_db',
    'size_after',
    'rows_read',
    'rows_written',
  ]);
  deepEqual(
    [meta.changes, meta.last_row_id, meta.changed_db, meta.rows_read, meta.rows_written],
    [2, 2, true, 0, 4],
  );
  const select = DB.prepare('SELECT * FROM notes WHERE id >= ?');
  const all = await select.bind(1).all();
  deepEqual(all.results, [
    { id: 1, text: 'a' },
    { id: 2, text: 'b' },
  ]);
  deepEqual([all.meta.changes, all.meta.changed_db, all.meta.rows_read], [0, false, 2]);
  deepEqual(await select.bind(2).first(), { id: 2, text: 'b' });
  equal(await select.bind(2).first('text'), 'b');
  equal(await select.bind(3).first(), null);
  equal(await select.bind(3).first('text'), null);
  deepEqual(await select.bind(1).raw(), [
    [1, 'a'],
    [2, 'b'],
  ]);
  deepEqual(await select.bind(2).raw({ columnNames: true }), [
    ['id', 'text'],
    [2, 'b'],
  ]);
  deepEqual(await select.bind(3).raw({ columnNames: true }), [['id', 'text']]);
});

test('D1PreparedStatement inserts rows whose ids no number can hold; their ids are told as the nearest number', async (t) => {
  const { DB } = (await TestProgram.open(t)).env;
  await createNotes(DB);
  const { meta } = await DB.prepare("INSERT INTO notes VALUES (9007199254740993, 'a')").run();
  deepEqual([meta.changes, meta.last_row_id], [1, 2 ** 53]);
  const { results } = await DB.prepare('SELECT CAST(id AS TEXT) AS id FROM notes').all();
  deepEqual(results, [{ id: '9007199254740993' }]);
});

test('D1PreparedStatement.bind takes the types of D1, and gives them back', async (t) => {
  const { DB } = (await TestProgram.open(t)).env;
  const row = await DB.prepare('SELECT ? AS a, ? AS b, ? AS c, ? AS d, ? AS e, ? AS f, ? AS g, ? AS h')
    .bind(1, 'x', null, true, new Uint8Array([1, 2]).buffer, new Uint8Array([3]), [4, 255], NaN)
    .first();
  deepEqual(row, { a: 1, b: 'x', c: null, d: 1, e: [1, 2], f: [3], g: [4, 255], h: null });
  deepEqual(
    await DB.prepare('SELECT typeof(?) AS number, typeof(?) AS flag, typeof(?) AS bytes')
      .bind(1, false, [0])
      .first(),
    { number: 'real', flag: 'real', bytes: 'blob' },
  );
  const statement = DB.prepare('SELECT ?');
  for (const [value, type, text] of [
    [undefined, 'undefined', 'undefined'],
    [1n, 'bigint', '1'],
    [[256], 'object', '256'],
    [{}, 'object', '[object Object]'],
  ] as const) {
    equal(
      await refusalOf(() => statement.bind(value)),
      `Error: D1_TYPE_ERROR: Type '${type}' not supported for value '${text}'`,
    );
  }
});

test('D1Database words errors as D1 does, with the plain text as the cause', async (t) => {
  const { DB } = (await TestProgram.open(t)).env;
  await createNotes(DB);
  await DB.exec("INSERT INTO notes VALUES (1, 'a')");
  const wrongs: [call: () => Promise<unknown>, text: RegExp][] = [
    [
      () => DB.prepare('SELECT * FROM x').all(),
      /^Error: D1_ERROR: no such table: x(?: at offset \d+)?: SQLITE_ERROR$/,
    ],
    [
      () => DB.prepare("INSERT INTO notes VALUES (1, 'b')").run(),
      /^Error: D1_ERROR: UNIQUE constraint failed: notes\.id: SQLITE_CONSTRAINT(?: \(extended: SQLITE_CONSTRAINT_PRIMARYKEY\))?$/,
    ],
    [
      () => DB.prepare('SELECT ?').all(),
      /^Error: D1_ERROR: Wrong number of parameter bindings for SQL query\.$/,
    ],
    [() => DB.prepare('').all(), /^Error: D1_ERROR: No SQL statements detected\.$/],
    [() => DB.prepare('  -- nothing').all(), /^Error: D1_ERROR: No SQL statements detected\.$/],
    [() => DB.prepare('SELECT 1').first('x'), /^Error: D1_COLUMN_NOTFOUND: Column not found \(x\)$/],
    [
      () => DB.exec('SELECT 1\nSELEC'),
      /^Error: D1_EXEC_ERROR: Error in line 2: SELEC: near "SELEC": syntax error/,
    ],
    [() => DB.prepare('BEGIN').run(), /^Error: D1_ERROR: .*transaction/],
    [() => DB.prepare("ATTACH 'x' AS y").run(), /^Error: D1_ERROR: .*(?:prohibited|not authorized)/],
    [() => DB.dump(), /^Error: D1_DUMP_ERROR: .*gatehouse objects export d1_databases db FILE/],
  ];
  for (const [call, text] of wrongs) match(await refusalOf(call), text);
  const error: Error = await DB.prepare('SELECT * FROM x')
    .all()
    .then(
      () => new Error('nothing'),
      (thrown: Error) => thrown,
    );
  equal(error.message, `D1_ERROR: ${(error.cause as Error).message}`);
});

test('D1Database.batch is one transaction', async (t) => {
  const { DB } = (await TestProgram.open(t)).env;
  await createNotes(DB);
  const insert = DB.prepare('INSERT INTO notes (text) VALUES (?)');
  const count = DB.prepare('SELECT count(*) AS count FROM notes');
  const answers = await DB.batch([insert.bind('a'), count]);
  deepEqual(
    answers.map(({ results, meta }) => [results, meta.changes]),
    [
      [[], 1],
      [[{ count: 1 }], 0],
    ],
  );
  match(
    await refusalOf(() => DB.batch([insert.bind('b'), insert.bind('a')])),
    /^Error: D1_ERROR: UNIQUE constraint failed: notes\.text/,
  );
  match(await refusalOf(() => DB.exec("INSERT INTO notes (text) VALUES ('c')\nSELEC")), /D1_EXEC_ERROR/);
  equal(await count.first('count'), 1);
  equal(await DB.prepare('PRAGMA foreign_keys').first('foreign_keys'), 1);
});

test('D1Database.withSession has bookmarks, and objects restore goes back to one', async (t) => {
  const program = await TestProgram.open(t);
  const { DB } = program.env;
  await createNotes(DB);
  const session = DB.withSession();
  equal(session.getBookmark(), null);
  await session.prepare("INSERT INTO notes (text) VALUES ('before')").run();
  const bookmark = session.getBookmark()!;
  await session.batch([session.prepare("INSERT INTO notes (text) VALUES ('after')")]);
  ok(session.getBookmark()! > bookmark);
  equal(DB.withSession(bookmark).getBookmark(), bookmark);
  equal(DB.withSession('first-primary').getBookmark(), null);
  const { runtime } = program;
  const undo = await runtime.history(runtime.namespace('d1_databases').idFromName('db')).restore(bookmark);
  const texts = async () => (await DB.prepare('SELECT text FROM notes ORDER BY id').raw()).flat();
  deepEqual(await texts(), ['before']);
  await runtime.history(runtime.namespace('d1_databases').idFromName('db')).restore(undo);
  deepEqual(await texts(), ['before', 'after']);
  await program.restart();
  deepEqual((await program.env.DB.prepare('SELECT count(*) FROM notes').raw()).flat(), [2]);
});
