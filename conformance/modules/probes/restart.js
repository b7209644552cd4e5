import { area } from '../registry.js';

const list = ({ storage }) => storage.list();
const options = { on: ['sql', 'kv'] };

/** Written before both servers are killed, read after they are back. */
const survives = (write, read) => ({
  steps: { write, read },
  before: (world) => world.outcome(() => world.ask('write')),
  after: (world) => world.outcome(() => world.ask('read')),
});

area('restart', options, {
  'acknowledged puts': survives(({ storage }) => storage.put({ a: 1, b: { c: [1, 2] } }), list),
  'a put that nobody awaited': survives(({ storage }) => {
    void storage.put('k', 'value');
    return 'answered';
  }, list),
  'an unconfirmed put, synced': survives(async ({ storage }) => {
    void storage.put('k', 'value', { allowUnconfirmed: true });
    await storage.sync();
  }, list),
  deletes: survives(async ({ storage }) => {
    await storage.put({ a: 1, b: 2, c: 3 });
    await storage.sync();
    await storage.delete(['a', 'c']);
  }, list),
  deleteAll: survives(async ({ storage }) => {
    await storage.put({ a: 1, b: 2 });
    await storage.sync();
    await storage.deleteAll();
    await storage.put('c', 3);
  }, list),
  'a transaction': survives(
    ({ storage }) =>
      storage.transaction(async (txn) => {
        await txn.put('in', 1);
        await txn.put('out', 1);
        await txn.delete('out');
      }),
    list,
  ),
  'a rolled back transaction': survives(
    ({ storage }) =>
      storage.transaction(async (txn) => {
        await txn.put('in', 1);
        txn.rollback();
      }),
    list,
  ),
  'many keys': survives(
    async ({ storage }) => {
      for (let batch = 0; batch < 5; batch++) {
        await storage.put(
          Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${batch}-${i}`, 'v'.repeat(i)])),
        );
      }
    },
    async ({ storage }) => {
      const all = await storage.list();
      return [
        all.size,
        [...all.values()].reduce((sum, text) => sum + text.length, 0),
        [...all.keys()].slice(0, 3),
      ];
    },
  ),
  'memory is gone': survives(
    ({ self }) => {
      self.mark = 'old';
    },
    ({ self }) => self.mark ?? 'new instance',
  ),
  'odd keys and values': survives(
    ({ storage }) =>
      storage.put({
        '': new Map([[1, new Date(5)]]),
        'a\0': 2n ** 70n,
        '\u{10000}': new Uint8Array([1]),
        '\uffff': Object.assign([], { length: 2 }),
      }),
    list,
  ),
  'the last of many writes to one key': survives(async ({ storage }) => {
    for (let i = 0; i < 50; i++) {
      await storage.put('n', i);
      if (i % 10 === 0) await storage.sync();
    }
  }, list),
  'writes of a throwing handler': survives(({ storage }) => {
    void storage.put('k', 1);
    throw new Error('after');
  }, list),
  'an alarm in the future': survives(
    ({ storage }) => storage.setAlarm(1893456000000),
    ({ storage }) => storage.getAlarm(),
  ),
  'a deleted alarm': survives(
    async ({ storage }) => {
      await storage.setAlarm(1893456000000);
      await storage.sync();
      await storage.deleteAlarm();
    },
    ({ storage }) => storage.getAlarm(),
  ),
  'an alarm fires after the restart, with the name': {
    slow: true,
    steps: {
      async set({ storage }) {
        await storage.setAlarm(Date.now() + 1500);
      },
      fired: ({ storage }) => storage.get('fired'),
    },
    alarm: ({ storage, ctx }, { retryCount, isRetry }) =>
      storage.put('fired', { retryCount, isRetry, name: ctx.id.name }),
    before: (world) => world.ask('set'),
    async after(world) {
      for (let tries = 0; tries < 200; tries++) {
        const fired = await world.ask('fired');
        if (fired !== undefined) return fired;
        await world.sleep(50);
      }
      return 'never fired';
    },
  },
});

area(
  'restart with SQL',
  {},
  {
    'tables and rows': survives(
      ({ sql }) => {
        sql.exec(
          "create table t(id integer primary key autoincrement, a); insert into t(a) values ('x'), (null), (x'0102')",
        );
        sql.exec('create index ta on t(a); delete from t where id = 2');
      },
      ({ sql }) => [
        sql.exec('select * from t').toArray(),
        sql
          .exec("select name from sqlite_master where name not like '\\_cf%' escape '\\' order by name")
          .toArray(),
        sql.exec("insert into t(a) values ('next') returning id").toArray(),
      ],
    ),
    'rows beside keys': survives(
      ({ sql, kv }) => {
        sql.exec('create table t(a); insert into t values (1)');
        kv.put('k', 'v');
      },
      ({ sql, kv }) => [sql.exec('select a from t').toArray(), kv.get('k')],
    ),
    'full-text index': survives(
      ({ sql }) => {
        sql.exec("create virtual table f using fts5(body); insert into f values ('hello world'), ('bye')");
      },
      ({ sql }) => sql.exec("select rowid from f where f match 'world'").toArray(),
    ),
    'a large table': survives(
      ({ sql }) => {
        sql.exec(`create table big(id integer primary key, t);
        with recursive s(i) as (values(1) union all select i + 1 from s where i < 5000) insert into big select i, hex(zeroblob(50)) || i from s`);
      },
      ({ sql }) => [sql.exec('select count(*) n, sum(length(t)) l from big').one(), sql.databaseSize],
    ),
    'deleteAll, then new tables': survives(
      async ({ sql, storage }) => {
        sql.exec('create table old(a); insert into old values (1)');
        await storage.sync();
        await storage.deleteAll();
        sql.exec('create table fresh(a); insert into fresh values (2)');
      },
      ({ sql }) =>
        sql
          .exec("select name from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\'")
          .toArray(),
    ),
    transactionSync: survives(
      ({ sql, storage, message }) => {
        sql.exec('create table t(a)');
        storage.transactionSync(() => sql.exec('insert into t values (1)'));
        return message(() =>
          storage.transactionSync(() => {
            sql.exec('insert into t values (2)');
            throw new Error('back');
          }),
        );
      },
      ({ sql }) => sql.exec('select a from t').toArray(),
    ),
    'pragmas are per session': survives(
      ({ sql }) => {
        sql.exec('pragma recursive_triggers = on');
      },
      ({ sql }) => sql.exec('pragma recursive_triggers').toArray(),
    ),
  },
);
