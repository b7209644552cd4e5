import { area } from '../registry.js';

/** One hundred rows with two indexes, beside smaller tables of each kind. */
function build(sql) {
  sql.exec(`
    create table t(id integer primary key, a text, b int, c int);
    with recursive s(i) as (values(1) union all select i + 1 from s where i < 100)
      insert into t select i, 'x' || i, i, i % 10 from s;
    create index tb on t(b);
    create index tc on t(c);
    create table u(id integer primary key, e text unique, n int);
    insert into u values (1, 'a@x', 1), (2, 'b@x', 2);
    create table w(k text primary key, v) without rowid;
    insert into w values ('a', 1), ('b', 2);
    create table ai(id integer primary key autoincrement, v);
    create table z(a, b);
    create table log(v);
    create trigger tr after insert on log begin insert into z values (new.v, 0); end;
    create table pa(id integer primary key);
    create table chd(pid references pa(id) on delete cascade);
    create index chi on chd(pid);
    insert into pa values (1), (2);
    insert into chd values (1), (1), (2);
    create virtual table ft using fts5(body);
    insert into ft values ('hello world'), ('hello there'), ('bye');
    create virtual table rt using rtree(id, x0, x1);
    insert into rt values (1, 0, 1), (2, 5, 6);
  `);
}

const statements = [
  'create table n1(id integer primary key, a)',
  'create table n2(k text primary key) without rowid',
  'create table n3(id integer primary key, e text unique)',
  'create table if not exists t(id)',
  'create index n4 on t(a)',
  'create index n5 on z(a)',
  'create view n6 as select * from t',
  'create trigger n7 after insert on z begin insert into w values (new.a, 1); end',
  'insert into z values (1, 2)',
  'insert into z values (1, 2), (3, 4), (5, 6)',
  "insert into t values (101, 'x101', 101, 1)",
  "insert into t(a, b, c) values ('x102', 102, 2)",
  "insert into u values (3, 'c@x', 0)",
  "insert or ignore into u values (3, 'a@x', 0)",
  "insert into u values (3, 'd@x', 0) on conflict(e) do update set n = n + 1",
  "insert into u values (5, 'a@x', 0) on conflict(e) do update set n = n + 1",
  "insert into u values (5, 'a@x', 0) on conflict do nothing",
  "insert into w values ('c', 1)",
  "insert into w values ('a', 2) on conflict do update set v = excluded.v",
  "insert into t values (103, 'x103', 103, 3) returning id",
  'insert into z select a, b from t where id <= 10',
  'insert into log values (1), (2)',
  'insert into chd values (1)',
  "insert into ft values ('hello again')",
  'insert into rt values (3, 0, 1)',
  "update t set a = 'y' where id = 5",
  'update t set b = 500 where id = 5',
  'update t set b = 501, c = 5 where id = 5',
  "update t set a = 'q' where b = 10",
  "update t set a = a || '!'",
  'update t set a = 1 where id = 123456',
  "update ft set body = 'new' where rowid = 2",
  'delete from t where id = 7',
  'delete from t where b = 8',
  'delete from t where id between 90 and 94',
  'delete from t where id = 123456',
  'delete from u',
  'delete from u where 1',
  'delete from ft where rowid = 1',
  'select * from t',
  "select * from t where a = 'x50'",
  'select count(*) from t',
  'select count(*) from t where c = 3',
  'select * from t where id = 50',
  "select * from u where e = 'b@x'",
  "select * from u where e = 'zzz'",
  'select * from t where c = 3',
  'select * from t where c = 777',
  'select * from t where b >= 30 and b < 40',
  'select * from t where b >= 30 and b < 40 order by b desc',
  "select * from t where b >= 30 and b < 40 and a = 'x35'",
  'select * from t limit 10',
  'select * from t limit 10 offset 20',
  'select * from t limit 0',
  'select * from t order by b limit 1',
  'select * from t order by a',
  'select * from t order by id desc limit 3',
  'select max(b) from t',
  'select min(b), max(b) from t',
  'select sum(b) from t',
  'select * from t where id in (1, 2, 3, 50, 123456)',
  'select * from t where id in (select n from u)',
  'select * from t where id between 10 and 19',
  "select * from t where a like 'x1%'",
  'select exists(select 1 from t where c = 3)',
  'select * from u join t on t.id = u.id',
  'select * from u left join t on t.id = u.n + 100000',
  'select distinct c from t',
  'select distinct a from t',
  'select c, count(*) from t group by c',
  'select a, count(*) from t group by a',
  'select c, count(*) n from t group by c having n > 9',
  'select id from t where id <= 5 union all select id from u',
  'select id from u except select id from t',
  'with recursive s(i) as (values(1) union all select i + 1 from s where i < 10) select i from s',
  'values (1), (2), (3)',
  "select value from json_each('[1,2,3,4,5]')",
  `select count(*) from json_tree('{"a":[1,2]}')`,
  "select * from ft where ft match 'hello'",
  'select * from ft',
  'select id from rt where x0 < 3',
  'select name from sqlite_master',
  'reindex tb',
  'explain query plan select * from t',
  'insert into z values (9, 9); select * from t limit 3',
];

/** Shapes whose count cannot always be derived from outside SQLite; kept apart, so that the report shows them as one area. */
const hardStatements = [
  'insert into ai(v) values (1)',
  "insert or replace into u values (3, 'a@x', 0)",
  "replace into w values ('a', 3)",
  'update t set b = b + 1000 where b between 20 and 24',
  'update t set id = 9999 where id = 6',
  'update t set a = u.e from u where u.id = t.id',
  'delete from pa where id = 1',
  'delete from t where c = 5 order by id limit 1',
  'delete from t where id in (1, 2) returning id',
  'select min(b) from t',
  'select * from t order by a limit 5',
  'select * from t where c in (1, 2)',
  'select * from t where b = 30 or c = 4',
  'select (select max(b) from t), (select min(b) from t)',
  'select id, (select count(*) from t t2 where t2.c = u.n) from u',
  'select count(*) from u join t on t.c = u.n',
  'select count(*) from t x join t y on x.a = y.a',
  'select count(*) from u, w',
  'select id from t where id <= 5 union select id from u',
  'select id from t intersect select id from u',
  'with x as materialized (select * from t where c = 3) select count(*) from x a, x b',
  'select id, row_number() over (order by b) from t where c = 3',
  "select count(*) from json_each('[1,2,3]') j join t on t.id = j.value",
  'create table cts as select id, a from t where id <= 10',
  'create index tpart on t(a) where c = 1',
  'alter table t add column d int default 0',
  'alter table t rename column a to aa',
  'alter table w drop column v',
  'drop index tc',
  'drop table z',
  'analyze',
];

function counts(sql, text) {
  const cursor = sql.exec(text);
  const atOnce = [cursor.rowsRead, cursor.rowsWritten];
  const rows = cursor.toArray().length;
  return { rows, atOnce, final: [cursor.rowsRead, cursor.rowsWritten] };
}

function probesOf(texts) {
  return Object.fromEntries(
    texts.map((text) => [
      text,
      ({ sql }) => {
        build(sql);
        return counts(sql, text);
      },
    ]),
  );
}

area(
  'row counts',
  {},
  {
    ...probesOf(statements),
    'grow while iterating': ({ sql }) => {
      build(sql);
      const cursor = sql.exec('select * from t where c = 3');
      const seen = [cursor.rowsRead];
      for (let i = 0; i < 12; i++) {
        cursor.next();
        seen.push(cursor.rowsRead);
      }
      return seen;
    },
    'start again for each exec': ({ sql }) => {
      build(sql);
      return [counts(sql, 'select * from u'), counts(sql, 'select * from u')];
    },
    'stop where iteration stops': ({ sql }) => {
      build(sql);
      const cursor = sql.exec('select * from t');
      for (const row of cursor) if (row.id === 5) break;
      return [cursor.rowsRead, cursor.rowsWritten];
    },
    'of a failed one()': async ({ sql, message }) => {
      build(sql);
      const cursor = sql.exec('select * from t');
      return [await message(() => cursor.one()), cursor.rowsRead];
    },
    'with bindings': ({ sql }) => {
      build(sql);
      const cursor = sql.exec('select * from t where b > ? limit ?', 90, 5);
      return [cursor.toArray().length, cursor.rowsRead];
    },
  },
);
area('row counts, hard shapes', {}, probesOf(hardStatements));
