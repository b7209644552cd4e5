/** What is kept of a turn that ends badly, what comes first, and when constraints that were put off are checked. */
import { area } from '../registry.js';

const pause = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));
const boom = () => {
  throw new Error('boom');
};
const list = async ({ storage }) => [...(await storage.list()).keys()];

/** What a step that ends in a reset leaves behind. */
const leaves = (write) => ({
  steps: { list, write },
  async run(world) {
    const end = await world.message(() => world.ask('write'));
    return [end, await world.ask('list')];
  },
});

area(
  'turns kept and lost',
  { on: ['sql', 'kv'], disk: true },
  {
    'put, then a section that throws': leaves(({ storage, ctx }) => {
      void storage.put('a', 1);
      return ctx.blockConcurrencyWhile(boom);
    }),
    'put, then a section that rejects': leaves(async ({ storage, ctx }) => {
      await storage.put('a', 1);
      return ctx.blockConcurrencyWhile(async () => boom());
    }),
    'a put beside a section that rejects': leaves(({ storage, ctx }) => {
      const section = ctx.blockConcurrencyWhile(async () => boom());
      void storage.put('a', 1);
      return section;
    }),
    'put, then a section that puts and rejects': leaves(({ storage, ctx }) => {
      void storage.put('a', 1);
      return ctx.blockConcurrencyWhile(async () => {
        void storage.put('b', 1);
        boom();
      });
    }),
    'a section of two turns that rejects': leaves(({ storage, ctx }) =>
      ctx.blockConcurrencyWhile(async () => {
        void storage.put('a', 1);
        await pause();
        void storage.put('b', 1);
        boom();
      }),
    ),
    'a section, then put and abort': leaves(async ({ storage, ctx }) => {
      await ctx.blockConcurrencyWhile(() => storage.put('a', 1));
      void storage.put('b', 1);
      ctx.abort('end');
    }),
    'put, then abort in a section': leaves(({ storage, ctx }) => {
      void storage.put('a', 1);
      return ctx.blockConcurrencyWhile(() => ctx.abort('end'));
    }),
    'put, then abort in a transaction': leaves(({ storage, ctx }) => {
      void storage.put('a', 1);
      return storage.transaction(() => ctx.abort('end'));
    }),
    'a transaction, then put and abort': leaves(async ({ storage, ctx }) => {
      await storage.transaction((txn) => txn.put('a', 1));
      void storage.put('b', 1);
      ctx.abort('end');
    }),
    'put, timer, put and abort': leaves(async ({ storage, ctx }) => {
      void storage.put('a', 1);
      await pause();
      void storage.put('b', 1);
      ctx.abort('end');
    }),
    'put, a call to another object, abort': leaves(async ({ storage, ctx, env }) => {
      void storage.put('a', 1);
      await env.CALLEE.getByName(ctx.id.name).echo(1);
      ctx.abort('end');
    }),
    'put, many microtasks, abort': leaves(async ({ storage, ctx }) => {
      void storage.put('a', 1);
      for (let times = 0; times < 50; times++) await Promise.resolve();
      ctx.abort('end');
    }),
    'a call right behind another, which aborts': {
      steps: {
        list,
        put: ({ storage }) => void storage.put('a', 1),
        abort: ({ ctx }) => ctx.abort('end'),
      },
      async run(world) {
        const stub = world.stub();
        const ends = ['put', 'abort'].map((step) => world.message(() => stub.step(step)));
        return [await Promise.all(ends), await world.ask('list')];
      },
    },
  },
);

const inTurn = async (mark) => {
  for (let times = 0; times < 20; times++) await Promise.resolve();
  mark();
};

area(
  'turns in order',
  { on: ['sql', 'kv'] },
  {
    'a section starts behind the microtasks': async ({ ctx }) => {
      const seen = [];
      const section = ctx.blockConcurrencyWhile(() => seen.push('section'));
      await inTurn(() => seen.push('microtasks'));
      await section;
      return seen;
    },
    'a transaction starts behind the microtasks': async ({ storage }) => {
      const seen = [];
      const transaction = storage.transaction(() => seen.push('transaction'));
      await inTurn(() => seen.push('microtasks'));
      await transaction;
      return seen;
    },
    'a nested section starts behind the microtasks': ({ ctx }) =>
      ctx.blockConcurrencyWhile(async () => {
        const seen = [];
        const section = ctx.blockConcurrencyWhile(() => seen.push('section'));
        await inTurn(() => seen.push('microtasks'));
        await section;
        return seen;
      }),
    'behind a section comes its caller, then the timer': async ({ ctx }) => {
      const seen = [];
      const timer = pause().then(() => seen.push('timer'));
      await ctx.blockConcurrencyWhile(async () => {
        await pause(20);
        seen.push('section');
      });
      await inTurn(() => seen.push('caller'));
      await timer;
      return seen;
    },
    'behind a section comes its caller, then the next': async ({ ctx }) => {
      const seen = [];
      const one = ctx
        .blockConcurrencyWhile(() => seen.push('one'))
        .then(() => inTurn(() => seen.push('caller of one')));
      const two = ctx.blockConcurrencyWhile(() => seen.push('two'));
      await Promise.all([one, two]);
      return seen;
    },
    'behind a transaction comes its caller, then the next': async ({ storage }) => {
      const seen = [];
      const one = storage
        .transaction(() => seen.push('one'))
        .then(() => inTurn(() => seen.push('caller of one')));
      const two = storage.transaction(() => seen.push('two'));
      await Promise.all([one, two]);
      return seen;
    },
  },
);

const violate = ({ sql }) => {
  sql.exec('PRAGMA defer_foreign_keys = ON');
  sql.exec('delete from p');
};
const mend = ({ sql }) => void sql.exec('insert into p values (1)');
const violateAndMend = (o) =>
  o.message(() => {
    o.sql.exec('delete from p');
    mend(o);
  });

/** Constraints violated here and mended there. */
const violations = {
  'mended in a microtask': async (o) => {
    violate(o);
    await Promise.resolve();
    mend(o);
  },
  'mended behind a timer': async (o) => {
    violate(o);
    await pause();
    mend(o);
  },
  'mended in a section': async (o) => {
    violate(o);
    await o.ctx.blockConcurrencyWhile(async () => mend(o));
  },
  'in a section, mended behind it': async (o) => {
    await o.ctx.blockConcurrencyWhile(async () => violate(o));
    mend(o);
  },
  'mended in a transaction': async (o) => {
    violate(o);
    await o.storage.transaction(async () => mend(o));
  },
  'in a transaction': (o) => o.storage.transaction(async () => violate(o)),
  'in a transaction, mended behind a timer': (o) =>
    o.storage.transaction(async () => {
      violate(o);
      await pause();
      mend(o);
    }),
  'in a nested transaction, mended in the outer': (o) =>
    o.storage.transaction(async () => {
      await o.storage.transaction(async () => violate(o));
      mend(o);
    }),
  'in transactionSync': (o) => o.storage.transactionSync(() => violate(o)),
  'in transactionSync, mended behind it': (o) => {
    o.storage.transactionSync(() => violate(o));
    mend(o);
  },
  'and abort': (o) => {
    violate(o);
    o.ctx.abort('end');
  },
};

/** What comes between the pragma and the write that it is for. */
const between = {
  nothing: () => {},
  'a read': ({ sql }) => void sql.exec('select * from p').toArray(),
  'a read that is not over': ({ sql }) =>
    void sql.exec('select * from p, (select 1 union all select 2)').next(),
  'a read without a table': ({ sql }) => void sql.exec('select 1').toArray(),
  'a failed statement': ({ sql, message }) => message(() => sql.exec('select nothing')),
  'another pragma': ({ sql }) => void sql.exec('PRAGMA foreign_keys').toArray(),
  'PRAGMA table_info': ({ sql }) => void sql.exec('PRAGMA table_info(p)').toArray(),
  'PRAGMA foreign_key_check': ({ sql }) => void sql.exec('PRAGMA foreign_key_check').toArray(),
  databaseSize: ({ sql }) => void sql.databaseSize,
  'kv.get': ({ kv }) => void kv.get('k'),
  'an unfinished kv.list': ({ kv }) => void kv.list().next(),
  getAlarm: ({ storage }) => storage.getAlarm(),
  setAlarm: ({ storage }) => storage.setAlarm(Date.now() + 1e7),
  sync: ({ storage }) => storage.sync(),
  'a timer': () => pause(),
  'a section': ({ ctx }) => ctx.blockConcurrencyWhile(() => {}),
};

const withForeignKeys = (write) => ({
  steps: {
    async prepare({ sql, storage }) {
      sql.exec('create table p(id integer primary key); create table c(p references p(id))');
      sql.exec('insert into p values (1)');
      sql.exec('insert into c values (1)');
      await storage.put('k', 1);
      await storage.setAlarm(Date.now() + 1e7);
      await storage.sync();
    },
    write,
    rows: ({ sql }) =>
      ['select * from p', 'select * from c', 'PRAGMA defer_foreign_keys'].map((query) =>
        sql.exec(query).toArray(),
      ),
  },
  alarm() {},
  async run(world) {
    await world.ask('prepare');
    const end = await world.outcome(() => world.ask('write'));
    return [end, await world.ask('rows')];
  },
});

area(
  'constraints put off',
  {},
  {
    ...Object.fromEntries(
      Object.entries(violations).map(([where, write]) => [`violated, ${where}`, withForeignKeys(write)]),
    ),
    ...Object.fromEntries(
      Object.entries(between).map(([what, pass]) => [
        `with ${what} between pragma and write`,
        withForeignKeys(async (o) => {
          o.sql.exec('PRAGMA defer_foreign_keys = ON');
          await pass(o);
          return violateAndMend(o);
        }),
      ]),
    ),
    'pragma in the turn of an earlier write': withForeignKeys(async (o) => {
      o.sql.exec('insert into p values (7)');
      o.sql.exec('PRAGMA defer_foreign_keys = ON');
      await pause();
      return violateAndMend(o);
    }),
    'pragma inside transactionSync': withForeignKeys((o) =>
      o.storage.transactionSync(() => {
        o.sql.exec('PRAGMA defer_foreign_keys = ON');
        return violateAndMend(o);
      }),
    ),
    'pragma and writes in one text': withForeignKeys(({ sql, message }) =>
      message(() => sql.exec('PRAGMA defer_foreign_keys = ON; delete from p; insert into p values (1)')),
    ),
  },
);
