import { area } from '../registry.js';

/** A small world: a keyed table with an index, a table of constraints, parents and children. */
export function build(sql) {
  sql.exec(`
    create table t(id integer primary key, a text, b int);
    insert into t values (1, 'one', 10), (2, 'two', 20), (3, 'three', 30), (4, null, 40);
    create table u(id integer primary key, e text unique not null, n int check (n >= 0) default 7);
    insert into u values (1, 'x', 1);
    create table p(id integer primary key);
    create table c(id integer primary key, p references p(id), q references p(id) deferrable initially deferred);
    insert into p values (1);
  `);
}

/** Each is run on the small world; what counts is the rows, the column names, or the error. */
const statements = {
  'select literal': "select 1, 'a', null, 2.5, x'00ff'",
  'select from table': 'select * from t',
  'duplicate column names': 'select 1 as a, 2 as a',
  '__proto__ column': 'select 1 as __proto__, 2 as b',
  'column with an expression name': 'select 1 + 1, count(*) from t',
  'integer beyond 2^53': 'select 9007199254740993, -9223372036854775808',
  infinities: 'select 9e999, -9e999, 9e999 - 9e999',
  'real that is whole': 'select 1.0, 1e300, -0.0',
  'invalid UTF-8 text': "select cast(x'41ff42' as text)",
  'text with NUL': "select 'a' || char(0) || 'b' as t, length('a' || char(0) || 'b') as n",
  'empty blob': "select x''",
  'no rows': 'select * from t where 0',
  insert: "insert into t values (9, 'nine', 90)",
  'insert returning': "insert into t(a) values ('r1'), ('r2') returning id, a",
  'update returning': 'update t set b = b + 1 where id < 3 returning id, b',
  'delete returning': 'delete from t where id = 1 returning *',
  'update with limit': 'update t set b = 0 order by id desc limit 2; select b from t',
  'delete with limit': 'delete from t order by id limit 1; select id from t',
  'delete with limit and offset':
    'delete from t where id > 0 order by b desc limit 1 offset 1; select id from t',
  'update with limit and returning': 'update t set b = 0 limit 2 returning id',
  upsert: "insert into u values (2, 'x', 5) on conflict(e) do update set n = n + excluded.n returning *",
  replace: "replace into u values (5, 'x', 1) returning *",
  'insert or ignore': "insert or ignore into u values (1, 'y', 1) returning *",
  'common table expression':
    'with recursive s(i) as (values(1) union all select i + 1 from s where i < 4) select sum(i) from s',
  'window function': 'select id, row_number() over (order by b desc) as r from t',
  'generated column': 'create table g(a, b as (a * 2) stored); insert into g(a) values (4); select * from g',
  'strict table': "create table s(a int) strict; insert into s values ('x')",
  'without rowid':
    'create table w(k text primary key, v) without rowid; insert into w values (1, 2); select * from w',
  view: 'create view v as select a from t where id = 2; select * from v',
  trigger:
    'create trigger tr after delete on t begin insert into u(e) values (old.a); end; delete from t where id = 2; select * from u',
  'alter table': 'alter table t add column z default 5; select z from t limit 1',
  'rename column': 'alter table t rename column a to aa; select aa from t limit 1',
  'drop column': 'alter table t drop column b; select * from t limit 1',
  reindex: 'create index ti on t(a); reindex ti',
  analyze: 'analyze; select tbl, stat from sqlite_stat1',
  'explain query plan': 'explain query plan select * from t where id = 1',
  fts5: "create virtual table f using fts5(body); insert into f values ('hello world'), ('bye'); select rowid, body from f where f match 'hello'",
  'fts5 functions':
    "create virtual table f using fts5(body); insert into f values ('hello world'); select highlight(f, 0, '[', ']') as h, snippet(f, 0, '<', '>', '..', 1) as s from f('world')",
  fts5vocab:
    "create virtual table f using fts5(body); insert into f values ('b a'); create virtual table fv using fts5vocab('f', 'row'); select * from fv",
  rtree:
    'create virtual table r using rtree(id, x0, x1); insert into r values (1, 0, 2.5); select * from r where x0 < 1',
  json: `select json('{"a":[1,2]}') as j, '{"a":5}' ->> 'a' as v, json_extract('[1,2]', '$[1]') as e`,
  json_each: `select key, value from json_each('[1,"b",null]')`,
  'schema of hidden tables is visible': "select count(*) > 0 as n from sqlite_master where name = 't'",
  sqlite_temp_master: 'select * from sqlite_temp_master',
  dates:
    "select date('2026-02-03', '+1 month') as d, unixepoch('2000-01-01') as u, strftime('%Y', 0, 'unixepoch') as y",
  math: 'select pow(2, 10) as p, floor(-1.5) as f, mod(7, 3) as m, round(pi(), 4) as pi',
  'case-insensitive like': "select count(*) as n from t where a like 'T%'",
  'several statements': 'select 1; select 2; select 3 as last',
  'leading semicolon': '; select 1',
  'trailing semicolon and space': 'select 1 ;  \n',
  'comment before the end': 'select 1 /* c */ -- d',
  'leading comment': '/* c */ select 1',
  'syntax error': 'selec 1',
  'syntax error in the second statement': 'select 1; selec 2',
  'incomplete input': 'select',
  'unterminated string': "select 'abc",
  'unknown token': 'select 1 # 2',
  'no such table': 'select * from nope',
  'no such column': 'select nope from t',
  'no such function': 'select nope(1)',
  'wrong argument count': 'select abs(1, 2)',
  'ambiguous column': 'select id from t, u',
  'table exists': 'create table t(x)',
  'duplicate column': 'create table d(a, a)',
  'unique violated': "insert into u values (2, 'x', 1)",
  'primary key violated': "insert into u values (1, 'z', 1)",
  'not null violated': 'insert into u(e) values (null)',
  'check violated': "insert into u values (3, 'c', -1)",
  'foreign key violated': 'insert into c values (1, 99, 1)',
  'datatype mismatch': "insert into t(id) values ('x')",
  'strict datatype': "create table s(a int) strict; insert into s values ('x')",
  'values count mismatch': 'insert into t values (1)',
  'raise abort':
    "create trigger ra before insert on t begin select raise(abort, 'no way'); end; insert into t values (8, '', 0)",
  'raise fail':
    "create trigger rf before insert on t begin select raise(fail, 'failed'); end; insert into t values (8, '', 0)",
  'raise ignore':
    "create trigger ri before insert on t begin select raise(ignore); end; insert into t values (8, '', 0) returning id",
  'integer overflow in sum': 'select sum(x) from (select 9223372036854775807 as x union all select 1)',
  'abs overflow': 'select abs(-9223372036854775808)',
  'malformed json': "select json('{bad')",
  'fts5 syntax error': `create virtual table f using fts5(body); select * from f where f match '"'`,
  'modify a view': 'create view v as select 1 as a; insert into v values (2)',
  'misuse of aggregate': 'select sum(sum(b)) from t',
  'recursive reference':
    'create view v1 as select * from v2; create view v2 as select * from v1; select * from v1',
  'drop a missing table': 'drop table nope',
  'drop if exists': 'drop table if exists nope',
  'foreign key mismatch at drop': 'drop table p',
};

/** What comes after the last statement. */
const endings = {
  'empty text': '',
  'only space': '  ',
  'only a comment': '-- nothing',
  'only a semicolon': ';',
  'comment after the semicolon': 'select 1; -- done',
  'two semicolons': 'select 1;;',
};

const rows = (sql, text) => {
  const cursor = sql.exec(text);
  return { columns: cursor.columnNames, rows: cursor.toArray(), again: cursor.columnNames };
};

function probesOf(table) {
  return Object.fromEntries(
    Object.entries(table).map(([name, text]) => [
      name,
      ({ sql, how }) => {
        build(sql);
        return how(() => rows(sql, text));
      },
    ]),
  );
}

area('sql statements', {}, probesOf(statements));
area('sql endings', {}, probesOf(endings));

area(
  'sql exec',
  {},
  {
    'without arguments': ({ sql, how }) => how(() => sql.exec()),
    'null as the query': ({ sql, how }) => how(() => sql.exec(null)),
    'number as the query': ({ sql, how }) => how(() => sql.exec(5)),
    'String object as the query': ({ sql, how }) =>
      how(() => sql.exec(new String('select 7 as n')).toArray()),
    'a later failure keeps earlier statements': async ({ sql, how }) => [
      await how(() =>
        sql.exec('create table kept(a); insert into kept values (1); insert into nope values (1)'),
      ),
      sql.exec('select * from kept').toArray(),
    ],
    'a syntax error later keeps earlier statements': async ({ sql, how }) => [
      await how(() => sql.exec('create table kept(a); insert into kept values (1); selec')),
      await how(() => sql.exec('select * from kept').toArray()),
    ],
    'a failed multi-row insert stores nothing': async ({ sql, how }) => {
      build(sql);
      return [
        await how(() => sql.exec("insert into u values (7, 'k', 1), (8, 'x', 1)")),
        sql.exec('select id from u').toArray(),
      ];
    },
    'insert or fail keeps the rows before': async ({ sql, how }) => {
      build(sql);
      return [
        await how(() => sql.exec("insert or fail into u values (7, 'k', 1), (8, 'x', 1)")),
        sql.exec('select id from u').toArray(),
      ];
    },
    'the statement runs though the cursor is ignored': ({ sql }) => {
      build(sql);
      sql.exec("insert into t(a) values ('q') returning id");
      return sql.exec('select count(*) as n from t').toArray();
    },
    'schema change between uses of the same text': ({ sql }) => {
      build(sql);
      const before = sql.exec('select * from p').columnNames;
      sql.exec('alter table p add column extra');
      return [before, sql.exec('select * from p').columnNames, sql.exec('select * from p').toArray()];
    },
    'databaseSize of a fresh object': ({ sql }) => sql.databaseSize,
    'databaseSize grows': ({ sql }) => {
      build(sql);
      return sql.databaseSize;
    },
    'databaseSize counts key-value data': async ({ sql, storage }) => {
      await storage.put('k', 'v'.repeat(100_000));
      return sql.databaseSize;
    },
    'databaseSize shrinks when rows go': ({ sql }) => {
      sql.exec('create table b(x)');
      sql.exec('insert into b values (zeroblob(500000))');
      const large = sql.databaseSize;
      sql.exec('delete from b');
      return [large, sql.databaseSize];
    },
    'key-value data is not reachable': async ({ sql, storage, message }) => {
      await storage.put('k', 1);
      return message(() => sql.exec('select * from _cf_KV'));
    },
    'key-value table is listed': async ({ sql, storage }) => {
      await storage.put('k', 1);
      return sql
        .exec(
          "select name, type from sqlite_master where name like '\\_cf\\_%' escape '\\' and tbl_name = '_cf_KV'",
        )
        .toArray();
    },
    'deleteAll drops the tables': async ({ sql, storage, how }) => {
      build(sql);
      await storage.deleteAll();
      return [
        sql.exec('select name from sqlite_master').toArray(),
        await how(() => sql.exec('select * from t')),
      ];
    },
    'members of sql': ({ sql }) =>
      ['exec', 'databaseSize', 'Cursor', 'Statement', 'prepare', 'ingest'].map((name) => typeof sql[name]),
    'last_insert_rowid and changes': ({ sql }) => {
      build(sql);
      sql.exec("insert into t(a) values ('x'), ('y')");
      return sql.exec('select last_insert_rowid() as id, changes() as n').one();
    },
  },
);
