import { area } from '../registry.js';

function numbers(sql) {
  sql.exec('create table n(a integer primary key, b); insert into n values (1, 1), (2, 2), (3, 3), (4, 4)');
  return sql.exec('select * from n');
}

area(
  'sql cursors',
  {},
  {
    'next until done': ({ sql }) => {
      const cursor = sql.exec('select 1 as a union all select 2');
      return [cursor.next(), cursor.next(), cursor.next(), cursor.next()];
    },
    'next when nothing is there': ({ sql }) => sql.exec('create table x(a)').next(),
    toArray: ({ sql }) => numbers(sql).toArray(),
    'toArray twice': ({ sql }) => {
      const cursor = numbers(sql);
      return [cursor.toArray().length, cursor.toArray()];
    },
    'toArray after next': ({ sql }) => {
      const cursor = numbers(sql);
      cursor.next();
      return cursor.toArray().map((row) => row.a);
    },
    'one of none': ({ sql, how }) => how(() => sql.exec('select 1 where 0').one()),
    'one of two': async ({ sql, how }) => {
      const cursor = sql.exec('select 1 as a union all select 2');
      return [await how(() => cursor.one()), cursor.next(), cursor.toArray()];
    },
    'one of one, then done': ({ sql }) => {
      const cursor = sql.exec('select 1 as a');
      return [cursor.one(), cursor.next()];
    },
    'one twice': ({ sql, how }) => {
      const cursor = sql.exec('select 1 as a');
      cursor.one();
      return how(() => cursor.one());
    },
    'one after next': ({ sql, how }) => {
      const cursor = sql.exec('select 1 as a union all select 2');
      cursor.next();
      return how(() => cursor.one());
    },
    'one of a write without rows': ({ sql, how }) => how(() => sql.exec('create table x(a)').one()),
    'spread and for-of': ({ sql }) => {
      const seen = [];
      for (const row of numbers(sql)) {
        seen.push(row.a);
        if (seen.length === 2) break;
      }
      return [seen, [...sql.exec('select a from n')].length];
    },
    'a break leaves the rest': ({ sql }) => {
      const cursor = numbers(sql);
      for (const row of cursor) if (row.a === 2) break;
      return cursor.toArray();
    },
    'Symbol.iterator is another object': ({ sql }) => {
      const cursor = numbers(sql);
      const iterator = cursor[Symbol.iterator]();
      return [
        iterator === cursor,
        Object.prototype.toString.call(iterator),
        iterator.map((row) => row.a).toArray(),
      ];
    },
    'own tags': ({ sql }) => {
      const cursor = numbers(sql);
      return [
        Object.prototype.toString.call(cursor),
        Object.prototype.toString.call(cursor.raw()),
        cursor.constructor.name,
      ];
    },
    'raw rows': ({ sql }) => numbers(sql).raw().toArray(),
    'raw keeps duplicate columns': ({ sql }) => sql.exec('select 1 as a, 2 as a').raw().toArray(),
    'raw next': ({ sql }) => {
      const raw = sql.exec('select 1, 2').raw();
      return [raw.next(), raw.next()];
    },
    'raw one': ({ sql, how }) => how(() => sql.exec('select 1, 2').raw().one()),
    'raw shares the position': ({ sql }) => {
      const cursor = numbers(sql);
      const raw = cursor.raw();
      return [cursor.next(), raw.next(), cursor.next(), raw.toArray(), cursor.next()];
    },
    columnNames: ({ sql }) => {
      const cursor = sql.exec('select 1 as b, 2 as a, 3 as b');
      const names = cursor.columnNames;
      cursor.toArray();
      return [names, cursor.columnNames, sql.exec('create table x(a)').columnNames];
    },
    'columnNames is the same array': ({ sql }) => {
      const cursor = sql.exec('select 1 as a');
      return cursor.columnNames === cursor.columnNames;
    },
    'one row is fetched ahead': ({ sql }) => {
      const cursor = sql.exec(
        'create table s(a integer primary key, v); insert into s values (1, 1), (2, 2), (3, 3); select v from s',
      );
      const first = cursor.next().value.v;
      sql.exec('update s set v = v + 100');
      return [first, cursor.toArray().map((row) => row.v)];
    },
    'deleted rows ahead': ({ sql }) => {
      const cursor = numbers(sql);
      cursor.next();
      sql.exec('delete from n where a > 1');
      return cursor.toArray();
    },
    'rows inserted ahead': ({ sql }) => {
      const cursor = numbers(sql);
      cursor.next();
      sql.exec('insert into n values (9, 9)');
      return cursor.toArray().map((row) => row.a);
    },
    'two cursors of one text': ({ sql }) => {
      const first = numbers(sql);
      const second = sql.exec('select * from n');
      return [first.next(), second.next(), first.next(), second.toArray().length, first.toArray().length];
    },
    'open across an await': async ({ sql, storage }) => {
      const cursor = numbers(sql);
      cursor.next();
      await storage.sync();
      return cursor.toArray();
    },
    'open while a table is added': ({ sql }) => {
      const cursor = numbers(sql);
      cursor.next();
      sql.exec('create table other(a)');
      return cursor.toArray().length;
    },
    'open while its table is dropped': async ({ sql, how }) => {
      const cursor = numbers(sql);
      cursor.next();
      return [await how(() => sql.exec('drop table n')), cursor.toArray().length];
    },
    'open while everything is deleted': async ({ sql, storage, how }) => {
      const cursor = numbers(sql);
      cursor.next();
      await storage.deleteAll();
      return how(() => cursor.next());
    },
    'open across a transactionSync that rolls back': async ({ sql, storage, message, how }) => {
      numbers(sql).toArray();
      await storage.sync();
      const cursor = sql.exec('select * from n');
      cursor.next();
      const text = await message(() =>
        storage.transactionSync(() => {
          sql.exec('insert into n values (9, 9)');
          throw new Error('back');
        }),
      );
      return [text, await how(() => cursor.toArray().map((row) => row.a))];
    },
    'open across a transactionSync that rolls back a schema change': async ({
      sql,
      storage,
      message,
      how,
    }) => {
      const cursor = numbers(sql);
      cursor.next();
      const text = await message(() =>
        storage.transactionSync(() => {
          sql.exec('create table rolled(a)');
          throw new Error('back');
        }),
      );
      return [text, await how(() => cursor.toArray().map((row) => row.a))];
    },
    'an insert with returning is complete at once': ({ sql }) => {
      sql.exec('create table x(a)');
      const cursor = sql.exec('insert into x values (1), (2), (3) returning a');
      return [sql.exec('select count(*) as n from x').one(), cursor.toArray()];
    },
    'an error while iterating': async ({ sql, how }) => {
      sql.exec("create table j(t); insert into j values ('[1]'), ('{bad'), ('[3]')");
      const cursor = sql.exec('select json(t) as j from j');
      return [await how(() => cursor.next()), await how(() => cursor.next()), await how(() => cursor.next())];
    },
    'JSON of a cursor and its keys': ({ sql }) => {
      const cursor = sql.exec('select 1 as a');
      return [Object.keys(cursor), 'rowsRead' in cursor, typeof cursor.next];
    },
  },
);
