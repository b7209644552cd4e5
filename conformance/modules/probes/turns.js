/** Which turn the object's code runs in, asked of SQL: settings that count only outside a transaction, and counters. */
import { area } from '../registry.js';

const pause = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));
const flag = ({ sql }, name) => Object.values(sql.exec(`PRAGMA ${name}`).one())[0];

/** Where the turn that wrote may have ended: each writes, goes there, and calls `body` there. */
const places = {
  'the same turn': (o, write, body) => {
    write();
    return body();
  },
  'behind an awaited promise': async (o, write, body) => {
    write();
    await Promise.resolve();
    return body();
  },
  'behind an awaited put': async ({ storage }, write, body) => {
    write();
    await storage.put('k', 1);
    return body();
  },
  'behind an awaited get': async ({ storage }, write, body) => {
    write();
    await storage.get('k');
    return body();
  },
  'behind a timer': async (o, write, body) => {
    write();
    await pause();
    return body();
  },
  'behind write, timer, write, timer': async (o, write, body) => {
    write();
    await pause();
    write();
    await pause();
    return body();
  },
  'behind sync': async ({ storage }, write, body) => {
    write();
    await storage.sync();
    return body();
  },
  'behind a bookmark': async ({ storage }, write, body) => {
    write();
    await storage.getCurrentBookmark();
    return body();
  },
  'behind a call to another object': async ({ env, ctx }, write, body) => {
    write();
    await env.CALLEE.getByName(ctx.id.name).echo(1);
    return body();
  },
  'behind an immediate timer callback': async (o, write, body) => {
    await pause();
    write();
    return new Promise((resolve) => setTimeout(() => resolve(body()), 0));
  },
  'behind getAlarm': async ({ storage }, write, body) => {
    write();
    await storage.getAlarm();
    return body();
  },
  'inside blockConcurrencyWhile': ({ ctx }, write, body) => {
    write();
    return ctx.blockConcurrencyWhile(async () => body());
  },
  'inside a blockConcurrencyWhile that waits': ({ ctx }, write, body) => {
    write();
    return ctx.blockConcurrencyWhile(async () => {
      await pause();
      return body();
    });
  },
  'inside a nested blockConcurrencyWhile': ({ ctx }, write, body) =>
    ctx.blockConcurrencyWhile(async () => {
      write();
      return ctx.blockConcurrencyWhile(async () => body());
    }),
  'behind a write in blockConcurrencyWhile': ({ ctx }, write, body) =>
    ctx.blockConcurrencyWhile(async () => {
      write();
      return body();
    }),
  'after blockConcurrencyWhile': async ({ ctx }, write, body) => {
    await ctx.blockConcurrencyWhile(async () => write());
    return body();
  },
  'beside blockConcurrencyWhile': ({ ctx }, write, body) => {
    const section = ctx.blockConcurrencyWhile(async () => {});
    write();
    const end = body();
    return section.then(() => end);
  },
  'written beside blockConcurrencyWhile': ({ ctx }, write, body) => {
    const section = ctx.blockConcurrencyWhile(async () => body());
    write();
    return section;
  },
  'the second of two sections': async ({ ctx }, write, body) => {
    const first = ctx.blockConcurrencyWhile(async () => write());
    const second = ctx.blockConcurrencyWhile(async () => body());
    await first;
    return second;
  },
  'inside transaction': ({ storage }, write, body) => {
    write();
    return storage.transaction(async () => body());
  },
  'after transaction': async ({ storage }, write, body) => {
    await storage.transaction(async () => write());
    return body();
  },
  'after a transaction without writes': async ({ storage }, write, body) => {
    write();
    await storage.transaction(async () => {});
    return body();
  },
  'after a transaction rolled back': async ({ storage }, write, body) => {
    await storage.transaction(async (txn) => {
      write();
      txn.rollback();
    });
    return body();
  },
  'inside transactionSync': ({ storage }, write, body) => {
    write();
    return storage.transactionSync(body);
  },
  'inside transactionSync, nothing before': ({ storage }, write, body) => storage.transactionSync(body),
  'after transactionSync': ({ storage }, write, body) => {
    storage.transactionSync(write);
    return body();
  },
  'after an empty transactionSync': ({ storage }, write, body) => {
    storage.transactionSync(() => {});
    return body();
  },
  'after a transactionSync that only reads': ({ storage, sql }, write, body) => {
    storage.transactionSync(() => sql.exec('select * from w').toArray());
    return body();
  },
  'after deleteAll': async ({ storage }, write, body) => {
    write();
    await storage.deleteAll();
    return body();
  },
  'after a failed statement': ({ sql }, write, body) => {
    try {
      sql.exec('insert into nowhere values (1)');
    } catch {
      return body();
    }
  },
  'after a statement that failed while it ran': ({ sql }, write, body) => {
    try {
      sql.exec('insert into u values (1), (1)');
    } catch {
      return body();
    }
  },
  'after an update of nothing': ({ sql }, write, body) => {
    sql.exec('update w set a = 2 where a = 99');
    return body();
  },
  'after a put': ({ kv }, write, body) => {
    kv.put('k', 1);
    return body();
  },
  'after a delete of nothing': ({ kv }, write, body) => {
    kv.delete('nothing');
    return body();
  },
  'after a get': ({ kv }, write, body) => {
    kv.get('nothing');
    return body();
  },
  'after setAlarm': async ({ storage }, write, body) => {
    void storage.setAlarm(Date.now() + 1e7);
    return body();
  },
  'after deleteAlarm of none': async ({ storage }, write, body) => {
    void storage.deleteAlarm();
    return body();
  },
  'after a read': ({ sql }, write, body) => {
    sql.exec('select * from w').toArray();
    return body();
  },
  'under an open cursor': ({ sql }, write, body) => {
    const cursor = sql.exec('select 1 union all select 2 union all select 3');
    cursor.next();
    const end = body();
    cursor.toArray();
    return end;
  },
  'after create table if not exists': ({ sql }, write, body) => {
    sql.exec('create table if not exists w(a)');
    return body();
  },
  'after pragma table_info': ({ sql }, write, body) => {
    sql.exec('pragma table_info(w)').toArray();
    return body();
  },
  'after pragma optimize': ({ sql }, write, body) => {
    sql.exec('pragma optimize');
    return body();
  },
  'nothing before': (o, write, body) => body(),
};

const observations = {
  'foreign_keys switched off': (o) => {
    o.sql.exec('PRAGMA foreign_keys = OFF');
    const off = flag(o, 'foreign_keys');
    o.sql.exec('PRAGMA foreign_keys = ON');
    return [off, flag(o, 'foreign_keys')];
  },
  defer_foreign_keys: (o) => {
    const before = flag(o, 'defer_foreign_keys');
    o.sql.exec('PRAGMA defer_foreign_keys = ON');
    return [before, flag(o, 'defer_foreign_keys')];
  },
  'changes and last_insert_rowid': ({ sql }) => sql.exec('select changes() c, last_insert_rowid() r').one(),
  total_changes: ({ sql }) => sql.exec('select total_changes() t').one(),
  'statements about transactions': ({ sql, message }) =>
    Promise.all(
      [
        'BEGIN',
        'COMMIT',
        'SAVEPOINT s',
        'RELEASE s',
        'VACUUM',
        'CREATE TEMP TABLE x (a)',
        'CREATE TEMP VIEW x AS SELECT 1',
      ].map((statement) => message(() => sql.exec(statement))),
    ),
};

const prepare = async ({ sql, storage }) => {
  sql.exec('create table w(a); create table u(a unique)');
  await storage.sync();
};

for (const [what, body] of Object.entries(observations)) {
  area(
    `turns, ${what}`,
    {},
    Object.fromEntries(
      Object.entries(places).map(([where, go]) => [
        where,
        async (o) => {
          await prepare(o);
          const write = () => {
            o.sql.exec('insert into w values (1), (2), (3)');
            if (what === 'defer_foreign_keys') o.sql.exec('PRAGMA defer_foreign_keys = ON');
          };
          return go(o, write, () => body(o));
        },
      ]),
    ),
  );
}

const switchOff = observations['foreign_keys switched off'];
const put = ({ sql }) => void sql.exec('insert into w values (1)');
const create = ({ sql }) => void sql.exec('create table if not exists w(a)');

/** What the constructor finds, or leaves for the first call. */
const constructors = {
  'the constructor': (o) => {
    o.self.seen = switchOff(o);
  },
  'the constructor, behind a write': (o) => {
    create(o);
    o.self.seen = switchOff(o);
  },
  'the first call behind a write': create,
  'a section of the constructor, behind a write': (o) => {
    create(o);
    void o.ctx.blockConcurrencyWhile(async () => {
      o.self.seen = switchOff(o);
    });
  },
  'the second section of the constructor': (o) => {
    void o.ctx.blockConcurrencyWhile(async () => create(o));
    void o.ctx.blockConcurrencyWhile(async () => {
      o.self.seen = switchOff(o);
    });
  },
  'the first call behind a section': (o) => {
    void o.ctx.blockConcurrencyWhile(async () => create(o));
  },
  'a timer of the constructor': (o) => {
    create(o);
    setTimeout(() => {
      o.self.seen = switchOff(o);
    }, 0);
  },
  'a transaction of the constructor': (o) => {
    create(o);
    void o.storage.transaction(async () => {
      o.self.seen = switchOff(o);
    });
  },
};

area(
  'turns of the constructor, foreign_keys switched off',
  {},
  Object.fromEntries(
    Object.entries(constructors).map(([where, construct]) => [
      where,
      {
        construct,
        steps: {
          now: switchOff,
          async later(o) {
            await pause(20);
            return o.self.seen ?? 'nothing seen';
          },
        },
        run: async (world) => [await world.ask('now'), await world.ask('later')],
      },
    ]),
  ),
);

/** The alarm of an object sees, writes and sees again; what it saw is asked for later. */
const alarmed = (alarm) => ({
  async alarm(o) {
    o.self.seen = await alarm(o);
  },
  steps: {
    async set(o) {
      await prepare(o);
      await o.storage.setAlarm(Date.now() + 5);
    },
    seen: ({ self }) => self.seen,
  },
  async run(world) {
    await world.ask('set');
    for (let tries = 0; tries < 100; tries++) {
      const seen = await world.ask('seen');
      if (seen !== undefined) return seen;
      await world.sleep(10);
    }
    return 'never';
  },
});

area(
  'turns of calls and alarms, foreign_keys switched off',
  {},
  {
    'at the start of an alarm': alarmed(switchOff),
    'an alarm, behind a write': alarmed((o) => {
      put(o);
      return switchOff(o);
    }),
    'an alarm, behind write and timer': alarmed(async (o) => {
      put(o);
      await pause();
      return switchOff(o);
    }),
    'a section of an alarm, behind a write': alarmed((o) => {
      put(o);
      return o.ctx.blockConcurrencyWhile(async () => switchOff(o));
    }),
    'a call right behind another that wrote': {
      steps: { prepare, put, switchOff },
      async run(world) {
        const stub = world.stub();
        await stub.step('prepare');
        const [, seen] = await Promise.all([stub.step('put'), stub.step('switchOff')]);
        return seen;
      },
    },
    'the last of many calls at once': {
      steps: { prepare, put, switchOff },
      async run(world) {
        const stub = world.stub();
        await stub.step('prepare');
        const puts = Array.from({ length: 20 }, () => stub.step('put'));
        const seen = await stub.step('switchOff');
        await Promise.all(puts);
        return seen;
      },
    },
    'a promise given to waitUntil': {
      steps: {
        prepare,
        start(o) {
          put(o);
          o.ctx.waitUntil(
            pause().then(() => {
              o.self.seen = switchOff(o);
            }),
          );
        },
        async seen({ self }) {
          await pause(10);
          return self.seen;
        },
      },
      async run(world) {
        await world.ask('prepare');
        await world.ask('start');
        return world.ask('seen');
      },
    },
  },
);
