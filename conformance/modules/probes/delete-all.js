import { area } from '../registry.js';

const FAR_MS = 3_600_000;
const POLL_MS = 25;
/** Long enough for an alarm that is due to run, on a machine that has other things to do. */
const RUN_MS = 12_000;
/** Long enough for a wrong run to show up. */
const SETTLE_MS = 2_000;
/** The first retry comes after two seconds. */
const RETRY_MS = 8_000;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const isSet = async ({ storage }) => (await storage.getAlarm()) !== null;

/** Whether an alarm is set and what is stored, with a note of each run of the alarm. */
const common = {
  isSet,
  setFar: ({ storage }) => storage.setAlarm(Date.now() + FAR_MS),
  wipe: ({ storage }) => storage.deleteAll(),
  log: async ({ storage }) => (await storage.get('log')) ?? [],
  abort: ({ ctx }) => ctx.abort('reset'),
};

/** Asks until the log of runs is as wanted; what there is after `limitMs` is the answer all the same. */
async function logWhen(world, isEnough, limitMs) {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const log = await world.ask('log');
    if (isEnough(log) || waitedMs >= limitMs) return log;
    await world.sleep(POLL_MS);
  }
}

const hasRun = (log) => log.length > 0;
const hasRunAgain = (log) => log.at(-1) >= 1;

async function note({ storage }, entry) {
  const log = (await storage.get('log')) ?? [];
  await storage.put('log', [...log, entry]);
}

area(
  'deleteAll and the alarm',
  {
    on: ['sql', 'kv'],
    disk: true,
    variants: [
      '',
      'flag delete_all_deletes_alarm',
      'date 2026-02-23',
      'date 2026-02-24',
      'date 2026-02-24 and flag delete_all_preserves_alarm',
    ],
  },
  {
    'set before': async (o) => {
      await o.storage.put('a', 1);
      await o.storage.setAlarm(Date.now() + FAR_MS);
      await o.storage.deleteAll();
      return [await isSet(o), await o.storage.list()];
    },
    'set before, in one turn': async (o) => {
      void o.storage.setAlarm(Date.now() + FAR_MS);
      void o.storage.deleteAll();
      return isSet(o);
    },
    'set in an earlier call': {
      steps: common,
      async run(world) {
        await world.ask('setFar');
        await world.ask('wipe');
        return world.ask('isSet');
      },
    },
    'set after': async (o) => {
      await o.storage.deleteAll();
      await o.storage.setAlarm(Date.now() + FAR_MS);
      return isSet(o);
    },
    'set after, in one turn': async (o) => {
      void o.storage.setAlarm(Date.now() + FAR_MS);
      void o.storage.deleteAll();
      void o.storage.setAlarm(Date.now() + 2 * FAR_MS);
      return [(await o.storage.getAlarm()) > Date.now() + FAR_MS];
    },
    'no alarm': async (o) => {
      await o.storage.put('a', 1);
      await o.storage.deleteAll();
      return [await isSet(o), await o.storage.list()];
    },
    twice: async (o) => {
      await o.storage.setAlarm(Date.now() + FAR_MS);
      await o.storage.deleteAll();
      await o.storage.deleteAll();
      return isSet(o);
    },
    'whether it fires': {
      slow: true,
      steps: { ...common, setSoon: ({ storage }) => storage.setAlarm(Date.now() + 500) },
      alarm: (o) => note(o, 'ran'),
      async run(world) {
        await world.ask('setSoon');
        await world.ask('wipe');
        return logWhen(world, hasRun, SETTLE_MS);
      },
    },
    'after a reset': {
      steps: common,
      async run(world) {
        await world.ask('setFar');
        await world.ask('wipe');
        await world.message(() => world.ask('abort'));
        return world.ask('isSet');
      },
    },
    'in the handler': {
      steps: { ...common, setNow: ({ storage }) => storage.setAlarm(Date.now()) },
      async alarm(o) {
        await o.storage.deleteAll();
        await note(o, await isSet(o));
      },
      async run(world) {
        await world.ask('setNow');
        return [await logWhen(world, hasRun, RUN_MS), await world.ask('isSet')];
      },
    },
    'in the handler, after the next one was set': {
      steps: { ...common, setNow: ({ storage }) => storage.setAlarm(Date.now()) },
      async alarm(o) {
        await o.storage.setAlarm(Date.now() + FAR_MS);
        await o.storage.deleteAll();
        await note(o, await isSet(o));
      },
      async run(world) {
        await world.ask('setNow');
        return [await logWhen(world, hasRun, RUN_MS), await world.ask('isSet')];
      },
    },
    'in a handler that fails': {
      slow: true,
      steps: { ...common, setNow: ({ storage }) => storage.setAlarm(Date.now()) },
      async alarm(o, { retryCount }) {
        await o.storage.deleteAll();
        await note(o, retryCount);
        await pause(1);
        if (retryCount === 0) throw new Error('the first run fails');
      },
      async run(world) {
        await world.ask('setNow');
        await logWhen(world, hasRun, RUN_MS);
        return [await logWhen(world, hasRunAgain, RETRY_MS), await world.ask('isSet')];
      },
    },
    'in blockConcurrencyWhile': async (o) => {
      await o.storage.setAlarm(Date.now() + FAR_MS);
      await o.ctx.blockConcurrencyWhile(() => o.storage.deleteAll());
      return isSet(o);
    },
    'before a restart': {
      steps: common,
      async before(world) {
        await world.ask('setFar');
        await world.ask('wipe');
        return world.ask('isSet');
      },
      after: (world) => world.ask('isSet'),
    },
  },
);
