import { area } from '../registry.js';

const SOON_MS = 60;
const POLL_MS = 25;
const FAR_MS = 3_600_000;
const onBoth = { on: ['sql', 'kv'], disk: true };

/** What an alarm leaves behind: how it was called and what it saw. */
async function note({ storage }, entry) {
  const log = (await storage.get('log')) ?? [];
  log.push(entry);
  await storage.put('log', log);
}

const callOf = ({ retryCount, isRetry }) => ({ retryCount, isRetry });

const common = {
  async set({ storage, self }, delayMs = SOON_MS) {
    const at = Date.now() + delayMs;
    self.at = at;
    await storage.put('at', at);
    await storage.setAlarm(at);
  },
  log: async ({ storage }) => (await storage.get('log')) ?? [],
  get: ({ storage }) => storage.getAlarm(),
  isSet: async ({ storage }) => (await storage.getAlarm()) !== null,
};

/** Asks until the object has noted `count` runs; with none after `limitMs` it gives what there is. */
async function runs(world, count, limitMs = 12_000) {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const log = await world.ask('log');
    if (log.length >= count || waitedMs >= limitMs) return log;
    await world.sleep(POLL_MS);
  }
}

/** Long enough for a wrong further run to show up. */
const settle = (world, ms = 250) => world.sleep(ms);

const times = {
  zero: 0,
  negative: -5,
  NaN: NaN,
  Infinity: Infinity,
  'invalid Date': new Date(NaN),
  'Date at the epoch': new Date(0),
  'in 2191': 7e12,
  'in 2264': 9.3e12,
  'largest double': Number.MAX_VALUE,
  text: '2030-01-01',
  'text of a number': '1893456000000',
  bigint: 10n,
  boolean: true,
  null: null,
  undefined: undefined,
  object: {},
  fraction: 1893456000000.9,
  'Date in the future': new Date(1893456000000),
  'Number object': new Number(1893456000000),
};

area('setAlarm', onBoth, {
  ...Object.fromEntries(
    Object.entries(times).map(([name, time]) => [
      name,
      async ({ storage, how }) => {
        const end = await how(() => storage.setAlarm(time));
        const stored = await storage.getAlarm();
        await storage.deleteAlarm();
        return [end, stored];
      },
    ]),
  ),
  'no arguments': ({ storage, how }) => how(() => storage.setAlarm()),
  'string options': ({ storage, how }) => how(() => storage.setAlarm(Date.now() + FAR_MS, 'x')),
  'all options': ({ storage, how }) =>
    how(() => storage.setAlarm(Date.now() + FAR_MS, { allowConcurrency: true, allowUnconfirmed: true })),
  'getAlarm without one': ({ storage, how }) => how(() => storage.getAlarm()),
  'getAlarm with string options': ({ storage, how }) => how(() => storage.getAlarm('x')),
  'deleteAlarm without one': ({ storage, how }) => how(() => storage.deleteAlarm()),
  'deleteAlarm with string options': ({ storage, how }) => how(() => storage.deleteAlarm('x')),
  'the later time wins': async ({ storage }) => {
    const at = Date.now() + FAR_MS;
    await storage.setAlarm(at);
    await storage.setAlarm(at + 1000);
    return (await storage.getAlarm()) - at;
  },
  'set and delete in one turn': async ({ storage }) => {
    void storage.setAlarm(Date.now() + FAR_MS);
    void storage.deleteAlarm();
    return storage.getAlarm();
  },
});

area(
  'setAlarm without a handler',
  {},
  {
    'is refused': {
      steps: { set: ({ storage, how }) => how(() => storage.setAlarm(Date.now() + FAR_MS)) },
      run: ({ env, name }) => env.SILENT.getByName(name).step('set'),
    },
    'deleteAlarm is fine': {
      steps: { delete: ({ storage, how }) => how(() => storage.deleteAlarm()) },
      run: ({ env, name }) => env.SILENT.getByName(name).step('delete'),
    },
    'getAlarm is fine': {
      steps: { get: ({ storage, how }) => how(() => storage.getAlarm()) },
      run: ({ env, name }) => env.SILENT.getByName(name).step('get'),
    },
  },
);

area(
  'alarms',
  { ...onBoth, slow: true },
  {
    'fires once, not early, with its time': {
      steps: common,
      alarm: async (o, info) =>
        note(o, {
          ...callOf(info),
          onTime: info.scheduledTime === (await o.storage.get('at')),
          early: Date.now() < info.scheduledTime,
        }),
      async run(world) {
        await world.ask('set');
        await runs(world, 1);
        await settle(world);
        return [await world.ask('log'), await world.ask('get')];
      },
    },
    'the info is a plain object with three fields': {
      steps: common,
      alarm: (o, info) => note(o, Object.keys(info).sort()),
      async run(world) {
        await world.ask('set');
        return runs(world, 1);
      },
    },
    'knows its name': {
      steps: common,
      alarm: (o) => note(o, o.ctx.id.name),
      async run(world) {
        await world.ask('set');
        return runs(world, 1);
      },
    },
    'a time in the past fires at once': {
      steps: common,
      alarm: (o, info) => note(o, callOf(info)),
      async run(world) {
        await world.ask('set', -10_000);
        return runs(world, 1);
      },
    },
    'a time in the past is stored as now': {
      steps: {
        ...common,
        async past({ storage }) {
          const now = Date.now();
          await storage.setAlarm(now - 10_000);
          return Math.abs((await storage.getAlarm()) - now) < 1000;
        },
      },
      alarm() {},
      run: (world) => world.ask('past'),
    },
    'getAlarm is null in the handler': {
      steps: common,
      alarm: async (o) => note(o, await o.storage.getAlarm()),
      async run(world) {
        await world.ask('set');
        return runs(world, 1);
      },
    },
    'a handler can set the next one': {
      steps: common,
      async alarm(o) {
        const count = (await o.storage.get('log'))?.length ?? 0;
        await note(o, `run ${count}`);
        if (count < 2) await o.storage.setAlarm(Date.now() + 20);
      },
      async run(world) {
        await world.ask('set');
        await runs(world, 3);
        await settle(world);
        return [await world.ask('log'), await world.ask('get')];
      },
    },
    'deleted before it fires': {
      steps: { ...common, cancel: ({ storage }) => storage.deleteAlarm() },
      alarm: (o) => note(o, 'fired'),
      async run(world) {
        await world.ask('set', 150);
        await world.ask('cancel');
        await settle(world, 400);
        return world.ask('log');
      },
    },
    'moved later': {
      steps: common,
      alarm: async (o, info) => note(o, info.scheduledTime === (await o.storage.get('at'))),
      async run(world) {
        await world.ask('set', 100);
        await world.ask('set', 400);
        await runs(world, 1);
        await settle(world);
        return world.ask('log');
      },
    },
    'moved earlier': {
      steps: common,
      alarm: async (o, info) => note(o, info.scheduledTime === (await o.storage.get('at'))),
      async run(world) {
        await world.ask('set', FAR_MS);
        await world.ask('set', 50);
        return runs(world, 1);
      },
    },
    'a failing handler is retried twice with the same time': {
      steps: common,
      async alarm(o, info) {
        await note(o, { ...callOf(info), sameTime: info.scheduledTime === (await o.storage.get('at')) });
        if (info.retryCount < 2) throw new Error('not yet');
      },
      async run(world) {
        await world.ask('set');
        await runs(world, 3);
        await settle(world);
        return [await world.ask('log'), await world.ask('get')];
      },
    },
    'between retries getAlarm tells the time': {
      steps: common,
      async alarm(o, info) {
        await note(o, callOf(info));
        if (info.retryCount === 0) throw new Error('once');
      },
      async run(world) {
        await world.ask('set');
        await runs(world, 1);
        await settle(world);
        const between = await world.ask('isSet');
        return [between, await runs(world, 2), await world.ask('isSet')];
      },
    },
    'writes of a failing handler stay': {
      steps: { ...common, kept: ({ storage }) => storage.get('kept') },
      async alarm(o, info) {
        if (info.retryCount === 0) {
          await o.storage.put('kept', 'written');
          await note(o, 'failing');
          throw new Error('after the write');
        }
        await note(o, 'fine');
      },
      async run(world) {
        await world.ask('set');
        return [await runs(world, 2), await world.ask('kept')];
      },
    },
    'failing after setting a new one: no retry': {
      steps: common,
      async alarm(o, info) {
        await note(o, callOf(info));
        if ((await o.storage.get('log')).length > 1) return;
        await o.storage.setAlarm(Date.now() + 50);
        throw new Error('but a new one is set');
      },
      async run(world) {
        await world.ask('set');
        await runs(world, 2);
        await settle(world, 3000);
        return world.ask('log');
      },
    },
    'failing after deleteAlarm: no retry': {
      steps: common,
      async alarm(o, info) {
        await note(o, callOf(info));
        await o.storage.deleteAlarm();
        throw new Error('and deleted');
      },
      async run(world) {
        await world.ask('set');
        await settle(world, 3500);
        return [await world.ask('log'), await world.ask('get')];
      },
    },
    'abort in the handler: retried by a new instance': {
      steps: common,
      async alarm(o, info) {
        await note(o, { ...callOf(info), fresh: o.self.seen === undefined });
        o.self.seen = true;
        await o.storage.sync();
        if (info.retryCount === 0) o.ctx.abort('in the alarm');
      },
      async run(world) {
        await world.ask('set');
        return runs(world, 2);
      },
    },
    'abort with retryAlarm false: no retry': {
      steps: common,
      async alarm(o, info) {
        await note(o, callOf(info));
        await o.storage.sync();
        o.ctx.abort('no more', { retryAlarm: false });
      },
      async run(world) {
        await world.ask('set');
        await settle(world, 3500);
        return [await world.ask('log'), await world.ask('get')];
      },
    },
    'does not overlap itself': {
      steps: common,
      async alarm(o) {
        const count = (await o.storage.get('log'))?.length ?? 0;
        await note(o, `start ${count}`);
        if (count === 0) {
          await o.storage.setAlarm(Date.now());
          await new Promise((resolve) => setTimeout(resolve, 200));
        }
        await note(o, 'end');
      },
      async run(world) {
        await world.ask('set');
        return runs(world, 4);
      },
    },
    'requests interleave with a waiting handler': {
      steps: common,
      async alarm(o) {
        await note(o, 'start');
        await new Promise((resolve) => setTimeout(resolve, 300));
        await note(o, 'end');
      },
      async run(world) {
        await world.ask('set');
        return [await runs(world, 1), await runs(world, 2)];
      },
    },
    'setAlarm by a request does not stop a running handler': {
      steps: common,
      async alarm(o) {
        await note(o, 'start');
        await new Promise((resolve) => setTimeout(resolve, 200));
        await note(o, 'end');
      },
      async run(world) {
        await world.ask('set');
        await runs(world, 1);
        await world.ask('set', 30);
        return runs(world, 4);
      },
    },
    'wakes an object that was reset': {
      steps: { ...common, abort: ({ ctx }) => ctx.abort('reset') },
      alarm: (o, info) => note(o, callOf(info)),
      async run(world) {
        await world.ask('set', 200);
        await world.message(() => world.ask('abort'));
        return runs(world, 1);
      },
    },
    'survives deleteAll': {
      steps: { ...common, wipe: ({ storage }) => storage.deleteAll() },
      alarm: (o, info) => note(o, callOf(info)),
      async run(world) {
        await world.ask('set', 150);
        await world.ask('wipe');
        return runs(world, 1);
      },
    },
    'set in a transaction that rolls back never fires': {
      steps: {
        ...common,
        tryIt: ({ storage }) =>
          storage.transaction(async (txn) => {
            await txn.setAlarm(Date.now() + 30);
            txn.rollback();
          }),
      },
      alarm: (o) => note(o, 'fired'),
      async run(world) {
        await world.ask('tryIt');
        await settle(world, 400);
        return world.ask('log');
      },
    },
    'thrown away with an aborted turn': {
      steps: {
        ...common,
        setAndAbort({ storage, ctx }) {
          void storage.setAlarm(Date.now() + 30);
          ctx.abort('never set');
        },
      },
      alarm: (o) => note(o, 'fired'),
      async run(world) {
        await world.message(() => world.ask('setAndAbort'));
        await settle(world, 400);
        return [await world.ask('log'), await world.ask('get')];
      },
    },
  },
);
