import { area } from '../registry.js';

const CALLS = 20;
const onBoth = { on: ['sql', 'kv'] };
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Many calls at once on one stub. */
const crowd = (world, step, count = CALLS) => {
  const stub = world.stub();
  return Promise.all(Array.from({ length: count }, (_, i) => stub.step(step, i)));
};

const read = ({ storage }) => storage.get('n');

area('gates', onBoth, {
  'read-modify-write loses no update': {
    steps: {
      async add({ storage }) {
        const n = (await storage.get('n')) ?? 0;
        await storage.put('n', n + 1);
      },
      read,
    },
    async run(world) {
      await crowd(world, 'add');
      return world.ask('read');
    },
  },
  'a timer between read and write loses updates': {
    steps: {
      async add({ storage }) {
        const n = (await storage.get('n')) ?? 0;
        await pause(20);
        await storage.put('n', n + 1);
      },
      read,
    },
    async run(world) {
      await crowd(world, 'add');
      return world.ask('read');
    },
  },
  'blockConcurrencyWhile around a timer loses no update': {
    steps: {
      add: ({ storage, ctx }) =>
        ctx.blockConcurrencyWhile(async () => {
          const n = (await storage.get('n')) ?? 0;
          await pause(2);
          await storage.put('n', n + 1);
        }),
      read,
    },
    async run(world) {
      await crowd(world, 'add', 10);
      return world.ask('read');
    },
  },
  'a transaction around a timer loses no update': {
    steps: {
      add: ({ storage }) =>
        storage.transaction(async (txn) => {
          const n = (await txn.get('n')) ?? 0;
          await pause(2);
          await txn.put('n', n + 1);
        }),
      read,
    },
    async run(world) {
      await crowd(world, 'add', 10);
      return world.ask('read');
    },
  },
  'calls on one stub arrive in order': {
    steps: {
      arrive({ self }, i) {
        (self.order ??= []).push(i);
      },
      order: ({ self }) => self.order,
    },
    async run(world) {
      await crowd(world, 'arrive');
      return world.ask('order');
    },
  },
  'a handler that waits lets others in': {
    steps: {
      async wait({ self }) {
        await new Promise((resolve) => (self.release = resolve));
        return 'released';
      },
      release({ self }) {
        self.release();
      },
    },
    async run(world) {
      const waiting = world.ask('wait');
      await world.sleep(20);
      await world.ask('release');
      return waiting;
    },
  },
  'blockConcurrencyWhile keeps others out': {
    steps: {
      block: ({ ctx, self }) =>
        ctx.blockConcurrencyWhile(async () => {
          (self.order ??= []).push('block starts');
          await pause(100);
          self.order.push('block ends');
          return 'value';
        }),
      enter({ self }) {
        self.order.push('entered');
        return self.order;
      },
    },
    async run(world) {
      const blocked = world.ask('block');
      await world.sleep(30);
      return [await world.ask('enter'), await blocked];
    },
  },
  'timers started outside wait for a critical section': {
    steps: {
      async mix({ ctx }) {
        const order = [];
        setTimeout(() => order.push('outer timer'), 10);
        await ctx.blockConcurrencyWhile(async () => {
          await pause(60);
          order.push('section ends');
        });
        await pause(30);
        return order;
      },
    },
    run: (world) => world.ask('mix'),
  },
  'a nested section runs': {
    steps: {
      nest: ({ ctx }) =>
        ctx.blockConcurrencyWhile(() =>
          ctx.blockConcurrencyWhile(async () => {
            await pause(5);
            return 'inner value';
          }),
        ),
    },
    run: (world) => world.ask('nest'),
  },
  'two sections are one after the other': {
    steps: {
      async both({ ctx }) {
        const order = [];
        const section = (label) =>
          ctx.blockConcurrencyWhile(async () => {
            order.push(`${label} starts`);
            await pause(10);
            order.push(`${label} ends`);
          });
        await Promise.all([section('a'), section('b')]);
        return order;
      },
    },
    run: (world) => world.ask('both'),
  },
  'waitUntil returns nothing and goes on after the answer': {
    steps: {
      start({ ctx, storage }) {
        return ctx.waitUntil(pause(20).then(() => storage.put('later', 'done')));
      },
      later: ({ storage }) => storage.get('later'),
    },
    async run(world) {
      const answer = await world.ask('start');
      await world.sleep(120);
      return [answer, await world.ask('later')];
    },
  },
  'a rejected waitUntil harms nobody': {
    steps: {
      start({ ctx, self }) {
        self.mark = 'same instance';
        ctx.waitUntil(Promise.reject(new Error('background')));
        return 'answered';
      },
      mark: ({ self }) => self.mark,
    },
    async run(world) {
      const answer = await world.ask('start');
      await world.sleep(20);
      return [answer, await world.ask('mark')];
    },
  },
  'waitUntil of a value that is no promise': {
    steps: { start: ({ ctx, how }) => how(() => ctx.waitUntil(5)) },
    run: (world) => world.ask('start'),
  },
  'an object can call another while it waits': {
    steps: {
      async outer({ env, ctx }) {
        const namespace = ctx.id.equals(env.SQL.idFromName(ctx.id.name)) ? env.SQL : env.KV;
        return namespace.getByName(`${ctx.id.name}#inner`).step('inner', 5);
      },
      inner: (_, n) => n * 2,
    },
    run: (world) => world.ask('outer'),
  },
  'two objects are independent': {
    steps: {
      set({ self }, n) {
        self.n = n;
      },
      get: ({ self }) => self.n,
    },
    async run(world) {
      await world.stub('a').step('set', 1);
      await world.stub('b').step('set', 2);
      return [await world.stub('a').step('get'), await world.stub('b').step('get')];
    },
  },
  'memory stays between requests': {
    steps: { count: ({ self }) => (self.n = (self.n ?? 0) + 1) },
    async run(world) {
      await world.ask('count');
      await world.ask('count');
      return world.ask('count');
    },
  },
});

const order =
  (...steps) =>
  async (o) => {
    const seen = [];
    await Promise.all(steps.map(([label, run]) => run(o).then(() => seen.push(label))));
    return seen;
  };

area(
  'microtask order',
  {},
  {
    'a promise before a get': order(
      ['promise', () => Promise.resolve()],
      ['get', ({ storage }) => storage.get('k')],
    ),
    'a get before a promise': order(
      ['get', ({ storage }) => storage.get('k')],
      ['promise', () => Promise.resolve()],
    ),
    'a put before a promise': order(
      ['put', ({ storage }) => storage.put('k', 1)],
      ['promise', () => Promise.resolve()],
    ),
    'gets and puts in order': order(
      ['put', ({ storage }) => storage.put('k', 1)],
      ['get', ({ storage }) => storage.get('k')],
      ['delete', ({ storage }) => storage.delete('k')],
      ['list', ({ storage }) => storage.list()],
    ),
  },
);

area('blockConcurrencyWhile', onBoth, {
  'gives the value of its callback': ({ ctx, how }) =>
    how(() => ctx.blockConcurrencyWhile(async () => ({ a: 1 }))),
  'a synchronous callback': ({ ctx, how }) => how(() => ctx.blockConcurrencyWhile(() => 5)),
  'no callback': ({ ctx, how }) => how(() => ctx.blockConcurrencyWhile()),
  'a callback that is no function': ({ ctx, how }) => how(() => ctx.blockConcurrencyWhile(5)),
  'storage works inside': ({ ctx, storage }) =>
    ctx.blockConcurrencyWhile(async () => {
      await storage.put('a', 1);
      return storage.get('a');
    }),
  'a transaction inside': ({ ctx, storage }) =>
    ctx.blockConcurrencyWhile(() =>
      storage.transaction(async (txn) => {
        await txn.put('a', 1);
        return txn.get('a');
      }),
    ),
});

/** Sections inside each other, `depth` of them; the innermost runs `last`. */
const nested = (enter, depth, last) => (depth === 0 ? last() : enter(() => nested(enter, depth - 1, last)));

/** Whether the object is the one it was: `self.mark` is gone after a reset. */
const nesting = (enterWith) => ({
  steps: {
    nest: (tools, depth) => {
      tools.self.mark = 'same instance';
      return nested(enterWith(tools), depth, () => 'reached');
    },
    caught(tools, depth) {
      tools.self.mark = 'same instance';
      const enter = enterWith(tools);
      return nested(enter, depth - 1, () => tools.how(() => enter(() => 'too deep')));
    },
    mark: ({ self }) => self.mark ?? 'another instance',
  },
});

const inSections =
  ({ ctx }) =>
  (body) =>
    ctx.blockConcurrencyWhile(async () => body());
const inTransactions =
  ({ storage }) =>
  (body) =>
    storage.transaction(async () => body());
const inBoth = (tools) => {
  const enters = [inSections(tools), inTransactions(tools)];
  let turn = 0;
  return (body) => enters[turn++ % 2](body);
};

const nestingProbes = (enter, word) =>
  Object.fromEntries([
    ...[2, 62, 63, 64, 65, 66, 80].map((depth) => [
      `${depth} ${word}`,
      {
        ...nesting(enter),
        async run(world) {
          const answer = await world.outcome(() => world.ask('nest', depth));
          return [answer, await world.ask('mark')];
        },
      },
    ]),
    ...[63, 64, 65, 66].map((depth) => [
      `the innermost of ${depth} ${word} is caught`,
      {
        ...nesting(enter),
        async run(world) {
          const answer = await world.outcome(() => world.ask('caught', depth));
          return [answer, await world.ask('mark')];
        },
      },
    ]),
  ]);

area('nesting', onBoth, {
  ...nestingProbes(inSections, 'sections'),
  ...nestingProbes(inTransactions, 'transactions'),
  ...nestingProbes(inBoth, 'sections and transactions'),
});

area(
  'blockConcurrencyWhile limits',
  { slow: true },
  {
    'waits thirty seconds at most': {
      steps: { hang: ({ ctx }) => ctx.blockConcurrencyWhile(() => new Promise(() => {})) },
      run: (world) => world.outcome(() => world.ask('hang')),
    },
  },
);

const sleepMs = (ms) => new Promise((resolve) => void setTimeout(resolve, ms));

area(
  'timers',
  {},
  {
    'what setTimeout gives': () => {
      const timer = setTimeout(() => {}, 1);
      return [typeof timer, typeof timer.unref, Number(timer) > 0];
    },
    'a number clears a timer': async () => {
      const fired = [];
      clearTimeout(Number(setTimeout(() => fired.push('number'), 1)));
      clearInterval(setTimeout(() => fired.push('clearInterval'), 1));
      await sleepMs(30);
      return fired;
    },
    'what is no timer is cleared in silence': () =>
      [null, undefined, {}, 'x', -1, NaN, []].map((handle) => clearTimeout(handle)),
    'an error in a timer': async () => {
      setTimeout(() => {
        throw new Error('nobody waits');
      }, 1);
      await sleepMs(30);
      return 'goes on';
    },
  },
);
