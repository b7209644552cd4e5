/** Questions about D1 databases. Each has a table of its own. */
import { how } from '../modules/describe.js';

/** What is the same wherever a query runs. */
function plain(result) {
  if (Array.isArray(result)) return result.map(plain);
  const { meta, ...rest } = result;
  const { served_by, duration, size_after, ...counts } = meta;
  return { ...rest, meta: { ...counts, known: [typeof served_by, typeof duration, typeof size_after] } };
}

/** The last row of a connection is that of some earlier question. */
const all =
  (sql, ...values) =>
  ({ DB }) =>
    how(async () => {
      const { meta, ...rest } = plain(
        await DB.prepare(sql)
          .bind(...values)
          .all(),
      );
      const { last_row_id, ...counts } = meta;
      return { ...rest, counts, lastRow: typeof last_row_id };
    });
const first =
  (sql, ...values) =>
  ({ DB }) =>
    how(() =>
      DB.prepare(sql)
        .bind(...values)
        .first(),
    );
const bound =
  (...values) =>
  ({ DB }) =>
    how(() =>
      DB.prepare(
        `SELECT ${values.map((_, at) => `?${at + 1} AS v${at}, typeof(?${at + 1}) AS t${at}`).join(', ')}`,
      )
        .bind(...values)
        .first(),
    );

const withCause = (call) => async (env, table) => {
  try {
    return await call(env, table);
  } catch (error) {
    return { text: String(error), cause: String(error.cause) };
  }
};

async function create(DB, table) {
  await DB.prepare(
    `CREATE TABLE ${table} (id INTEGER PRIMARY KEY, text TEXT UNIQUE, number REAL NOT NULL DEFAULT 0)`,
  ).run();
  await DB.prepare(`INSERT INTO ${table} (text) VALUES ('a'), ('b')`).run();
}

export const d1Probes = {
  'all of a constant': all("SELECT 1 AS one, 'x' AS text, NULL AS nothing, 1.5 AS real"),
  'all of no rows': all('SELECT 1 WHERE 0'),
  'all with two columns of a name': all('SELECT 1 AS a, 2 AS a'),
  'all of a blob': all("SELECT x'00ff' AS bytes"),
  'all of a large integer': all('SELECT 9007199254740993 AS large'),
  'all of several statements': all('SELECT 1 AS a; SELECT 2 AS b'),
  'bind of a number': bound(1, 1.5, -0, 1e300),
  'bind of numbers that are none': bound(NaN, Infinity, -Infinity),
  'bind of texts': bound('', 'ä', 'a\u0000b'),
  'bind of booleans and null': bound(true, false, null),
  'bind of buffers': bound(new Uint8Array([1, 2]).buffer, new Uint8Array([3]), [4, 255], []),
  'bind of wide views': bound(new Uint16Array([1, 256]), new Float32Array([1.5])),
  'bind of undefined': ({ DB }) => how(() => DB.prepare('SELECT ?').bind(undefined)),
  'bind of a bigint': ({ DB }) => how(() => DB.prepare('SELECT ?').bind(1n)),
  'bind of an object': ({ DB }) => how(() => DB.prepare('SELECT ?').bind({})),
  'bind of a list with 256': ({ DB }) => how(() => DB.prepare('SELECT ?').bind([256])),
  'bind of a list of texts': ({ DB }) => how(() => DB.prepare('SELECT ?').bind(['a'])),
  'bind of a function': ({ DB }) => how(() => DB.prepare('SELECT ?').bind(() => 1)),
  'bind of a Date': ({ DB }) => how(() => DB.prepare('SELECT ?').bind(new Date(0))),
  'bind replaces what was bound': ({ DB }) => how(() => DB.prepare('SELECT ? AS a').bind(1).bind(2).first()),
  'too few parameters': all('SELECT ?, ?', 1),
  'too many parameters': all('SELECT ?', 1, 2),
  'numbered parameters': first('SELECT ?2 AS a, ?1 AS b', 'x', 'y'),
  'named parameters': all('SELECT :a', 1),
  '100 parameters': all(
    `SELECT ${Array.from({ length: 100 }, () => '?').join('+')} AS sum`,
    ...Array(100).fill(1),
  ),
  '101 parameters': all(
    `SELECT ${Array.from({ length: 101 }, () => '?').join('+')} AS sum`,
    ...Array(101).fill(1),
  ),
  insert: ({ DB }, table) =>
    how(async () => {
      await create(DB, table);
      return plain(await DB.prepare(`INSERT INTO ${table} (text) VALUES (?), (?)`).bind('c', 'd').run());
    }),
  'insert returning': ({ DB }, table) =>
    how(async () => {
      await create(DB, table);
      return plain(await DB.prepare(`INSERT INTO ${table} (text) VALUES ('c') RETURNING id, text`).all());
    }),
  'update and delete': ({ DB }, table) =>
    how(async () => {
      await create(DB, table);
      return [
        plain(await DB.prepare(`UPDATE ${table} SET number = 5`).run()),
        plain(await DB.prepare(`DELETE FROM ${table} WHERE text = 'a'`).run()),
        plain(await DB.prepare(`SELECT * FROM ${table}`).run()),
      ];
    }),
  'create and drop': ({ DB }, table) =>
    how(async () => {
      const created = plain(await DB.prepare(`CREATE TABLE ${table} (a)`).run());
      // Dropping reads the whole schema, in which each has tables of its own.
      const { rows_read, ...counts } = plain(await DB.prepare(`DROP TABLE ${table}`).run()).meta;
      return [created, counts, rows_read > 0];
    }),
  first: ({ DB }, table) =>
    how(async () => {
      await create(DB, table);
      const select = DB.prepare(`SELECT * FROM ${table} ORDER BY id`);
      return [
        await select.first(),
        await select.first('text'),
        await DB.prepare(`SELECT * FROM ${table} WHERE 0`).first(),
      ];
    }),
  'first of a column that is not there': ({ DB }) => how(() => DB.prepare('SELECT 1 AS a').first('b')),
  'first of a column that is null': ({ DB }) => how(() => DB.prepare('SELECT NULL AS a').first('a')),
  'first of no rows and a column': ({ DB }) => how(() => DB.prepare('SELECT 1 AS a WHERE 0').first('b')),
  raw: ({ DB }) => how(() => DB.prepare("SELECT 1 AS a, x'01' AS b UNION ALL SELECT 2, 'x'").raw()),
  'raw with names': ({ DB }) => how(() => DB.prepare('SELECT 1 AS a, 2 AS a').raw({ columnNames: true })),
  'raw of no rows with names': ({ DB }) =>
    how(() => DB.prepare('SELECT 1 AS a WHERE 0').raw({ columnNames: true })),
  'no such table': withCause(({ DB }) => DB.prepare('SELECT * FROM none').all()),
  'no such column': withCause(({ DB }) => DB.prepare('SELECT none').all()),
  'a syntax error': withCause(({ DB }) => DB.prepare('SELEC 1').all()),
  'an incomplete statement': withCause(({ DB }) => DB.prepare('SELECT (').all()),
  'no statement': withCause(({ DB }) => DB.prepare('').all()),
  'white space': withCause(({ DB }) => DB.prepare(' \n ').all()),
  'an indented comment': withCause(({ DB }) => DB.prepare('  -- nothing').all()),
  UNIQUE: withCause(async ({ DB }, table) => {
    await create(DB, table);
    await DB.prepare(`INSERT INTO ${table} (text) VALUES ('a')`).run();
  }),
  'PRIMARY KEY': withCause(async ({ DB }, table) => {
    await create(DB, table);
    await DB.prepare(`INSERT INTO ${table} (id) VALUES (1)`).run();
  }),
  'NOT NULL': withCause(async ({ DB }, table) => {
    await create(DB, table);
    await DB.prepare(`INSERT INTO ${table} (number) VALUES (NULL)`).run();
  }),
  'FOREIGN KEY': withCause(async ({ DB }, table) => {
    await create(DB, table);
    await DB.prepare(`CREATE TABLE ${table}2 (id REFERENCES ${table} (id))`).run();
    await DB.prepare(`INSERT INTO ${table}2 VALUES (77)`).run();
  }),
  BEGIN: withCause(({ DB }) => DB.prepare('BEGIN').run()),
  SAVEPOINT: withCause(({ DB }) => DB.prepare('SAVEPOINT a').run()),
  ATTACH: withCause(({ DB }) => DB.prepare("ATTACH 'x' AS y").run()),
  'PRAGMA foreign_keys': ({ DB }) => how(() => DB.prepare('PRAGMA foreign_keys').first()),
  'PRAGMA table_info': ({ DB }, table) =>
    how(async () => {
      await create(DB, table);
      return (await DB.prepare(`PRAGMA table_info(${table})`).all()).results;
    }),
  'PRAGMA journal_mode': withCause(({ DB }) => DB.prepare('PRAGMA journal_mode').run()),
  batch: ({ DB }, table) =>
    how(async () => {
      await create(DB, table);
      const insert = DB.prepare(`INSERT INTO ${table} (text) VALUES (?)`);
      return plain(
        await DB.batch([
          insert.bind('x'),
          insert.bind('y'),
          DB.prepare(`SELECT text FROM ${table} ORDER BY id`),
        ]),
      );
    }),
  'a batch that fails': async ({ DB }, table) => {
    await create(DB, table);
    const insert = DB.prepare(`INSERT INTO ${table} (text) VALUES (?)`);
    return [
      await withCause(() => DB.batch([insert.bind('x'), insert.bind('a')]))(),
      await DB.prepare(`SELECT count(*) AS count FROM ${table}`).first(),
    ];
  },
  'an empty batch': withCause(({ DB }) => DB.batch([])),
  'exec of lines': async ({ DB }, table) => {
    const { count, duration } = await DB.exec(
      `CREATE TABLE ${table} (a)\nINSERT INTO ${table} VALUES (1)\n\nSELECT * FROM ${table}`,
    );
    return [count, typeof duration];
  },
  'exec of a statement on two lines': withCause(({ DB }, table) => DB.exec(`CREATE TABLE ${table} (\na)`)),
  'exec of a line that fails': withCause(({ DB }) => DB.exec('SELEC')),
  'exec of a second line that fails': withCause(({ DB }) => DB.exec('SELECT 1\nSELEC')),
  'exec of nothing': withCause(({ DB }) => DB.exec('')),
  'exec that fails keeps nothing': async ({ DB }, table) => {
    await create(DB, table);
    await DB.exec(`INSERT INTO ${table} (text) VALUES ('x')\nSELEC`).catch(() => {});
    return DB.prepare(`SELECT count(*) AS count FROM ${table}`).first();
  },
  withSession: async ({ DB }, table) => {
    await create(DB, table);
    const session = DB.withSession();
    const before = session.getBookmark();
    const row = await session.prepare(`SELECT text FROM ${table}`).first();
    const after = session.getBookmark();
    await session.batch([session.prepare(`INSERT INTO ${table} (text) VALUES ('z')`)]);
    return [before, row, typeof after, session.getBookmark() >= after, typeof session.exec];
  },
  'withSession of a constraint': ({ DB }) =>
    ['first-primary', 'first-unconstrained', ' ', 'a-bookmark', undefined].map((given) =>
      DB.withSession(given).getBookmark(),
    ),
  'members of a database': ({ DB }) => [
    DB.constructor.name,
    ...['prepare', 'batch', 'exec', 'withSession', 'dump'].map((name) => typeof DB[name]),
  ],
  'members of a statement': ({ DB }) => {
    const statement = DB.prepare('SELECT ?').bind(true);
    return [statement.constructor.name, statement.statement, statement.params];
  },
};
