/** The table rebuilds of `../rebuilds.js` in every place where code of an object can run. */
import { area } from '../registry.js';
import { makeRebuild } from '../rebuilds.js';

const REBUILDS = 16;
const NUMBERS = 80;

const pause = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));

/** The same numbers for the same seed, in every runtime. */
function numbersOf(seed) {
  let state = seed * 2_654_435_761 + 1;
  return Array.from({ length: NUMBERS }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  });
}

const rebuildOf = ({ ctx }) => makeRebuild(numbersOf(Number(ctx.id.name.split('#')[1])));
const messageOf = (error) => String(error.message).replace(/: SQLITE_.*/s, '');

/** What each statement gave: its rows, or the error. */
function runAll({ sql }, texts) {
  return texts.map((text) => {
    try {
      return sql.exec(text).toArray();
    } catch (error) {
      return messageOf(error);
    }
  });
}

const log = ({ sql }) => void sql.exec('insert into log values (0)');
const rebuild = (o) =>
  void (o.self.ends = runAll(
    o,
    rebuildOf(o).steps.map(({ sql }) => sql),
  ));

const insides = {
  'a call': rebuild,
  'the turn that wrote before': async (o) => {
    log(o);
    await Promise.resolve();
    rebuild(o);
  },
  'a section behind a write': (o) => {
    log(o);
    return o.ctx.blockConcurrencyWhile(async () => rebuild(o));
  },
  'a section written beside': (o) => {
    const section = o.ctx.blockConcurrencyWhile(async () => rebuild(o));
    log(o);
    return section;
  },
  'the turn behind a section': async (o) => {
    await o.ctx.blockConcurrencyWhile(async () => log(o));
    rebuild(o);
  },
  'a transaction': (o) => o.storage.transaction(async () => rebuild(o)),
  'the turn behind a transaction': async (o) => {
    await o.storage.transaction(async () => log(o));
    rebuild(o);
  },
  transactionSync: (o) => o.storage.transactionSync(() => rebuild(o)),
  'a later turn': async (o) => {
    log(o);
    await pause();
    log(o);
    await pause();
    rebuild(o);
  },
  'turns of its own for each step': (o) =>
    o.ctx.blockConcurrencyWhile(async () => {
      for (const { sql } of rebuildOf(o).steps) {
        runAll(o, [sql]);
        await pause();
      }
    }),
};

/** Objects whose next constructor or alarm is to rebuild, once: a life that ends in it is followed by another. */
const due = new Set();
const takeDue = ({ ctx }) => due.delete(ctx.id.name);

const steps = {
  setup(o) {
    runAll(o, rebuildOf(o).setup);
  },
  constructNext({ ctx }) {
    due.add(ctx.id.name);
    ctx.abort('construct again');
  },
  async alarmNext({ ctx, storage, self }) {
    due.add(ctx.id.name);
    await storage.setAlarm(Date.now() + 1);
    await storage.sync();
    while (self.ends === undefined) await pause(2);
    // If the turn cannot be committed, this call ends with it.
    await pause(5);
  },
  nothing() {},
  ends: ({ self }) => self.ends ?? 'lost',
  check: (o) => runAll(o, rebuildOf(o).check),
};

/** Each rebuild in an object of its own: how the call ended, what the statements gave, and what is left. */
const everySeed = (perform) => async (world) => {
  const ends = [];
  for (let seed = 0; seed < REBUILDS; seed++) {
    const ask = (step) => world.stub(String(seed)).step(step);
    await ask('setup');
    const called = await perform(ask, world);
    ends.push([called, await ask('ends'), await ask('check')]);
  }
  return JSON.stringify(ends)
    .match(/.{1,150}/gs)
    .map(String);
};
/** Whether the call failed; workerd has no words of its own for a transaction that cannot be committed. */
const endOf = async (world, call) => ((await world.message(call)) === 'no error' ? 'answered' : 'failed');

const inConstructor = (construct) => ({
  construct: (o) => void (takeDue(o) && construct(o)),
  steps,
  run: everySeed(async (ask, world) => {
    await world.message(() => ask('constructNext'));
    return endOf(world, () => ask('nothing'));
  }),
});

const inAlarm = (alarm) => ({
  alarm: (o) => (takeDue(o) ? alarm(o) : undefined),
  steps,
  run: everySeed((ask, world) => endOf(world, () => ask('alarmNext'))),
});

area(
  'table rebuilds',
  {},
  {
    ...Object.fromEntries(
      Object.entries(insides).map(([where, rebuildInside]) => [
        `in ${where}`,
        {
          steps: { ...steps, rebuildInside },
          run: everySeed((ask, world) => endOf(world, () => ask('rebuildInside'))),
        },
      ]),
    ),
    'in the constructor': inConstructor(rebuild),
    'in a section of the constructor': inConstructor((o) => {
      log(o);
      void o.ctx.blockConcurrencyWhile(async () => rebuild(o));
    }),
    'in an alarm': inAlarm(rebuild),
    'in a later turn of an alarm': inAlarm(insides['a later turn']),
    'in a section of an alarm': inAlarm(insides['a section behind a write']),
  },
);
