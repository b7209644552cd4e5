import { area } from '../registry.js';

const onBoth = { on: ['sql', 'kv'], disk: true };
const mark = ({ self }) => (self.mark ??= 'new instance');
const keep = ({ self }) => {
  self.mark = 'old instance';
};
const list = ({ storage }) => storage.list();

/** The end of a step, then what the same stub and a new one see. */
async function aftermath(world, step, ...args) {
  const stub = world.stub();
  await stub.step('keep');
  const end = await world.outcome(() => stub.step(step, ...args));
  const same = await world.outcome(() => stub.step('mark'));
  return { end, same, fresh: await world.outcome(() => world.ask('mark')) };
}

const endings = {
  'abort without a reason': ({ ctx }) => ctx.abort(),
  'abort with a reason': ({ ctx }) => ctx.abort('my reason'),
  'abort with an Error': ({ ctx }) => ctx.abort(new Error('as error')),
  'abort with an object': ({ ctx }) => ctx.abort({}),
  'abort with null': ({ ctx }) => ctx.abort(null),
  'abort with an empty reason': ({ ctx }) => ctx.abort(''),
  'abort cannot be caught': ({ ctx }) => {
    try {
      ctx.abort('uncatchable');
    } catch {
      return 'caught';
    }
    return 'went on';
  },
  'abort in a microtask': async ({ ctx }) => {
    await Promise.resolve();
    ctx.abort('later');
    return 'went on';
  },
  'blockConcurrencyWhile rejects': ({ ctx }) =>
    ctx.blockConcurrencyWhile(async () => {
      throw new RangeError('in the section');
    }),
  'blockConcurrencyWhile throws at once': ({ ctx }) =>
    ctx.blockConcurrencyWhile(() => {
      throw new TypeError('at once');
    }),
  'blockConcurrencyWhile failure cannot be caught': async ({ ctx }) => {
    try {
      await ctx.blockConcurrencyWhile(async () => {
        throw new Error('inside');
      });
    } catch {
      return 'caught';
    }
    return 'went on';
  },
  'blockConcurrencyWhile rejects with no error': ({ ctx }) =>
    ctx.blockConcurrencyWhile(() => Promise.reject('text')), // oxlint-disable-line prefer-promise-reject-errors
  'sections nested too deeply': ({ ctx }) => {
    const nest = (depth) => ctx.blockConcurrencyWhile(() => (depth === 0 ? 'bottom' : nest(depth - 1)));
    return nest(70);
  },
  'a plain throw is no reset': () => {
    throw new Error('plain');
  },
  'a throw after a put is no reset': async ({ storage }) => {
    await storage.put('k', 1);
    throw new Error('after put');
  },
};

area('resets', onBoth, {
  ...Object.fromEntries(
    Object.entries(endings).map(([name, body]) => [
      name,
      { steps: { keep, mark, end: body }, run: (world) => aftermath(world, 'end') },
    ]),
  ),
  'abort throws away the turn': {
    steps: {
      list,
      async write({ storage, ctx }) {
        await storage.put('a', 1);
        void storage.put('b', 1, { allowUnconfirmed: true });
        ctx.abort('gone');
      },
    },
    async run(world) {
      const end = await world.message(() => world.ask('write'));
      return [end, await world.ask('list')];
    },
  },
  'abort keeps what was synced': {
    steps: {
      list,
      async write({ storage, ctx }) {
        await storage.put('a', 1);
        await storage.sync();
        await storage.put('b', 1);
        ctx.abort('half');
      },
    },
    async run(world) {
      const end = await world.message(() => world.ask('write'));
      return [end, await world.ask('list')];
    },
  },
  'abort ends other calls in flight': {
    steps: {
      hang: () => new Promise(() => {}),
      end: ({ ctx }) => ctx.abort('all of you'),
    },
    async run(world) {
      const hanging = [world.stub(), world.stub()].map((stub) => world.outcome(() => stub.step('hang')));
      await world.sleep(20);
      const end = await world.outcome(() => world.ask('end'));
      return [end, await Promise.all(hanging)];
    },
  },
  'writes of a throwing handler stay': {
    steps: {
      list,
      write({ storage }) {
        void storage.put('a', 1);
        throw new Error('after');
      },
    },
    async run(world) {
      const end = await world.outcome(() => world.ask('write'));
      return [end, await world.ask('list')];
    },
  },
  'a failing section throws away its writes': {
    steps: {
      list,
      write: ({ storage, ctx }) =>
        ctx.blockConcurrencyWhile(async () => {
          await storage.put('a', 1);
          throw new Error('section');
        }),
    },
    async run(world) {
      const end = await world.message(() => world.ask('write'));
      return [end, await world.ask('list')];
    },
  },
});

const brittle = {
  throws: ({ storage }) => {
    void storage;
    throw new RangeError('constructor');
  },
  'blocks and rejects': ({ ctx }) => {
    void ctx.blockConcurrencyWhile(async () => {
      throw new TypeError('blocked constructor');
    });
  },
  aborts: ({ ctx }) => ctx.abort('aborted constructor'),
};

area('constructors', onBoth, {
  ...Object.fromEntries(
    Object.entries(brittle).map(([name, construct]) => [
      `one that ${name}`,
      {
        construct,
        steps: { mark },
        async run(world) {
          const stub = world.stub();
          const first = await world.outcome(() => stub.step('mark'));
          return [
            first,
            await world.outcome(() => stub.step('mark')),
            await world.outcome(() => world.ask('mark')),
          ];
        },
      },
    ]),
  ),
  'one that fails the first time only': {
    construct({ ctx, storage, self }) {
      void ctx.blockConcurrencyWhile(async () => {
        const tries = (await storage.get('tries')) ?? 0;
        self.tries = tries;
        await storage.put('tries', tries + 1);
        await storage.sync();
        if (tries === 0) throw new Error('first time');
      });
    },
    steps: { tries: ({ self }) => self.tries },
    async run(world) {
      const first = await world.outcome(() => world.ask('tries'));
      return [first, await world.outcome(() => world.ask('tries'))];
    },
  },
  'events wait for the section of the constructor': {
    construct({ ctx, self }) {
      void ctx.blockConcurrencyWhile(async () => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        self.ready = true;
      });
    },
    steps: { ready: ({ self }) => self.ready },
    run: (world) => Promise.all([world.ask('ready'), world.ask('ready')]),
  },
  'writes of the constructor are there': {
    construct({ storage }) {
      void storage.put('born', 1);
    },
    steps: { list },
    run: (world) => world.ask('list'),
  },
  'runs once for many calls': {
    construct({ self }) {
      self.count = (self.count ?? 0) + 1;
    },
    steps: { count: ({ self }) => self.count },
    run: (world) => Promise.all([world.ask('count'), world.ask('count'), world.ask('count')]),
  },
});

area(
  'failing commits',
  {},
  {
    'a deferred constraint left violated': {
      steps: {
        keep,
        mark,
        async prepare({ sql, storage }) {
          sql.exec(
            'create table p(id integer primary key); create table c(p references p(id) deferrable initially deferred)',
          );
          await storage.sync();
        },
        violate({ sql }) {
          sql.exec('insert into c values (99)');
          return 'answered';
        },
        count: ({ sql }) => sql.exec('select count(*) as n from c').one(),
      },
      async run(world) {
        await world.ask('prepare');
        return [await aftermath(world, 'violate'), await world.ask('count')];
      },
    },
    'the call made after it never arrives': {
      steps: {
        async prepare({ sql, storage }) {
          sql.exec(
            'create table p(id integer primary key); create table c(p references p(id) deferrable initially deferred)',
          );
          await storage.sync();
        },
        async violate({ sql, env, ctx }) {
          sql.exec('insert into c values (99)');
          await env.SQL.getByName(`${ctx.id.name}#witness`).step('witness');
          return 'went on';
        },
        witness: ({ storage }) => storage.put('seen', true),
        seen: async ({ storage }) => (await storage.get('seen')) ?? false,
      },
      async run(world) {
        await world.ask('prepare');
        const end = await world.message(() => world.ask('violate'));
        return [end, await world.stub('witness').step('seen')];
      },
    },
  },
);

area(
  'sql that breaks the transaction',
  {},
  {
    'insert or rollback': {
      steps: {
        keep,
        mark,
        break({ sql, how }) {
          sql.exec('create table x(a unique); insert into x values (1)');
          return how(() => sql.exec('insert or rollback into x values (1)'));
        },
      },
      run: (world) => aftermath(world, 'break'),
    },
    'raise rollback': {
      steps: {
        keep,
        mark,
        break({ sql, how }) {
          sql.exec(
            "create table x(a); create trigger tx before insert on x begin select raise(rollback, 'all'); end",
          );
          return how(() => sql.exec('insert into x values (1)'));
        },
      },
      run: (world) => aftermath(world, 'break'),
    },
  },
);

area(
  'eviction',
  { on: ['sql', 'kv'], disk: true, slow: true },
  {
    'an idle object forgets its memory': {
      steps: { keep, mark },
      async run(world) {
        await world.ask('keep');
        await world.sleep(13_000);
        return world.ask('mark');
      },
    },
    'an object with a call in flight stays': {
      steps: {
        keep,
        mark,
        hang: () => new Promise((resolve) => setTimeout(resolve, 12_000)),
      },
      async run(world) {
        await world.ask('keep');
        await world.ask('hang');
        return world.ask('mark');
      },
    },
  },
);
