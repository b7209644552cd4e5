import { deepEqual, equal, match, ok, rejects, throws } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import realTimers from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DurableObject, MemoryHome } from '#objects';
import { checkAtMostOnce, checkExactlyOnce, checkLinearizable } from './checks.ts';
import type { Operation } from './history.ts';
import { SimulationOptionsError } from './options.ts';
import { simulate, type SimulateOptions } from './simulate.ts';
import { SimulationFailure } from './story/simulation-failure.ts';
import { count, Counter, kv } from './testdata/counter.ts';
import type { World } from './world.ts';

/** Reads before it waits for the outside, and then writes the value that it read. */
class Forgetful extends Counter {
  override async add(count: number): Promise<number> {
    const before = await this.get();
    await fetch('https://bank.test/');
    await this.ctx.storage.put('value', before + count);
    return before + count;
  }
}

async function fail(
  options: SimulateOptions,
  story: (world: World) => Promise<void>,
): Promise<SimulationFailure> {
  try {
    await simulate(options, story);
  } catch (error) {
    if (error instanceof SimulationFailure) return error;
    throw error;
  }
  throw new Error('the simulation did not fail');
}

for (const storage of ['kv', 'sql'] as const) {
  test(`simulate loses no acknowledged write of a class with ${storage} storage, whatever goes wrong`, async () => {
    const seeds = storage === 'kv' ? 300 : 100;
    const report = await simulate({ classes: { Counter: { class: Counter, storage } }, seeds }, count);
    equal(report.lives, seeds);
    deepEqual(report.told, []);
    // Everything that can happen to this class did.
    for (const kind of [
      'crash',
      'lostRequest',
      'lostAnswer',
      'diskFull',
      'clock',
      'deploy',
      'evict',
    ] as const)
      ok((report.faults[kind] ?? 0) > 0, kind);
    ok(report.distinct > seeds / 2, `${report.distinct} lives were different`);
  });
}

test('simulate finds a read that is written back after a fetch, and tells the shortest story', async () => {
  const failure = await fail(kv(Forgetful), count);
  match(failure.message, /^seed \d+: \d+ of \d+ acknowledged/);
  match(failure.message, /The shortest story of \d+ tried: [23] of \d+ steps, 0 of \d+ faults/);
  match(failure.message, /client \d +calls Counter a\.add\(1\)/);
  match(failure.message, /Counter a +writes value = (\d+)[^]*Counter a +writes value = \1\n/);
});

test('simulate lives the same story again from what a failure has printed', async () => {
  const first = await fail(kv(Forgetful), count);
  const again = await fail({ ...kv(Forgetful), replay: first.replay }, count);
  deepEqual(again.moments, first.moments);
  const whole = await fail({ ...kv(Forgetful), replay: String(first.seed) }, count);
  ok(whole.moments.length > first.moments.length);
});

test('simulate lives the same story again under a debugger that stops in the object', async () => {
  const program = fileURLToPath(new URL('./testdata/under-debugger.ts', import.meta.url));
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, [program], (_, stdout, stderr) => resolve(`${stdout}${stderr}`));
  });
  match(said, /^stopped [1-9]\d* times\n$/);
});

test('simulate finds a home that loses an acknowledged write', async () => {
  // Every tenth acknowledged commit is lost.
  const createHome = (parts: ConstructorParameters<typeof MemoryHome>[0]): MemoryHome => {
    const home = new MemoryHome(parts);
    const apply = home.tables.apply.bind(home.tables);
    let commits = 0;
    home.tables.apply = (changes) => {
      if (++commits % 10 !== 0) apply(changes);
    };
    return home;
  };
  const failure = await fail({ ...kv(Counter), createHome }, count);
  match(failure.message, /^seed \d+: \d+ of \d+ acknowledged/);
});

test('simulate delivers a call twice when its caller tries again', async () => {
  const failure = await fail({ ...kv(Counter), faults: ['lostAnswer'] }, async (world) => {
    let sent = 0;
    await world.run({ add: (step) => (sent++, step.object('Counter', 'a', { retries: 5 }).add(1)) });
    await world.settle();
    equal(await world.object('Counter', 'a').get(), sent);
  });
  match(failure.message, /never hears the answer of Counter a\.add\(1\)/);
  match(failure.message, /tries again/);
});

test('simulate runs an alarm again whose host stops before it is known to be done', async () => {
  class Mailer extends DurableObject {
    async order(): Promise<void> {
      await this.ctx.storage.setAlarm(Date.now() + 1_000);
    }

    async alarm(): Promise<void> {
      await fetch('https://mail.test/', { method: 'POST', body: 'invoice' });
    }
  }
  const options = {
    classes: { Mailer: { class: Mailer, storage: 'kv' } },
    outside: () => new Response(),
  } as const;
  const failure = await fail(options, async (world) => {
    await world.object('Mailer', 'a', { retries: 9 }).order();
    await world.settle();
    checkAtMostOnce(world.deliveries, { effect: ({ body }) => body });
    ok(world.deliveries.length > 0, 'no mail was sent');
  });
  match(failure.message, /the effect invoice was brought about 2 times/);
});

test('checkExactlyOnce finds an effect that was promised and never came, and one that came twice', async () => {
  class Mailer extends DurableObject {
    /** Returns whether the mail was sent. */
    async send(name: string): Promise<void> {
      await fetch('https://mail.test/', {
        method: 'POST',
        body: name,
        headers: { 'idempotency-key': name },
      }).catch(() => {});
    }
  }
  const tell = async (world: World): Promise<void> => {
    const promised: string[] = [];
    await world.run({
      send: async (step) => {
        await step.object<Mailer>('Mailer', 'a').send(`mail ${step.number}`);
        promised.push(`mail ${step.number}`);
      },
    });
    await world.settle();
    checkExactlyOnce(world.deliveries, { effect: ({ body }) => body, promised });
  };
  const options = { classes: { Mailer }, outside: () => new Response() } as const;
  const failure = await fail({ ...options, faults: ['fetch'] }, tell);
  match(failure.message, /the effect mail \d+ was promised and never brought about/);
  await simulate({ ...options, faults: ['lostAnswer', 'evict'], seeds: 30 }, tell);
  const twice = { method: 'POST', url: '', headers: new Headers(), body: 'a', atMs: 0 };
  const other = { ...twice, atMs: 1 };
  throws(
    () => checkExactlyOnce([twice, other], { effect: ({ body }) => body, promised: ['a'] }),
    /the effect a was brought about 2 times/,
  );
});

test('simulate finds storage that the version before cannot read', async () => {
  class Next extends Counter {
    override async add(added: number): Promise<number> {
      const value = (await this.get()) + added;
      await this.ctx.storage.put('value', { count: value });
      return value;
    }

    override async get(): Promise<number> {
      const stored = await this.ctx.storage.get<number | { count: number }>('value');
      return typeof stored === 'object' ? stored.count : (stored ?? 0);
    }
  }
  const failure = await fail({ ...kv(Counter), next: { Counter: { class: Next, storage: 'kv' } } }, count);
  match(failure.message, /deploys version 2[^]*deploys version 1/);
});

test('simulate says which operation never ends', async () => {
  class Waiting extends Counter {
    override async add(): Promise<number> {
      return await new Promise(() => {});
    }
  }
  const failure = await fail(kv(Waiting), count);
  match(failure.message, /step \d+ \(add\).* never ends: it waits for something/);
});

test('simulate says that an alarm sets itself again without an end', async () => {
  class Ticking extends Counter {
    override async add(): Promise<number> {
      await this.ctx.storage.setAlarm(Date.now());
      return 0;
    }

    async alarm(): Promise<void> {
      await this.ctx.storage.setAlarm(Date.now());
    }
  }
  const failure = await fail({ ...kv(Ticking), faults: [] }, count);
  match(failure.message, /goes on without an end: an alarm or a timer/);
});

test('simulate tells of state that code keeps outside of its objects', async () => {
  const cache = new Map<string, number>();
  class Cached extends Counter {
    override async add(added: number): Promise<number> {
      const value = (cache.get('value') ?? 0) + added;
      cache.set('value', value);
      return value;
    }
  }
  const { told } = await simulate({ ...kv(Cached), seeds: 5 }, async (world) => {
    await world.run({
      get: (step) => step.object('Counter', 'a').get(),
      add: (step) => step.object('Counter', 'a').add(1),
    });
  });
  match(told.join('\n'), /seed \d+ ran differently the second time/);
});

/** Captured before any life begins, so no life can replace them. */
const { random } = Math;
const randomValues = crypto.getRandomValues.bind(crypto);

test('simulate tells of a timer and of random numbers that escape from it', async () => {
  class Impatient extends Counter {
    override async add(): Promise<number> {
      // Far longer than work that only passes through Node's loop, and shorter than the maximum wait.
      await realTimers.setTimeout(200);
      return 1;
    }
  }
  const timer = await simulate({ ...kv(Impatient), faults: [], seeds: 3 }, async (world) => {
    await world.object<Counter>('Counter', 'a').add(1);
  });
  match(timer.told.join('\n'), /seed \d waited for a timer of Node: what comes of it/);
  class Dice extends Counter {
    override async get(): Promise<number> {
      return random();
    }
  }
  const dice = await simulate({ ...kv(Dice), seeds: 3 }, async (world) => {
    await world.run({ get: (step) => step.object<Counter>('Counter', 'a').get() }, { steps: 3 });
  });
  match(dice.told.join('\n'), /seed \d ran differently the second time/);
  class Drawing extends Counter {
    override async get(): Promise<number> {
      return randomValues(new Uint8Array(1)).length;
    }
  }
  const values = await simulate({ ...kv(Drawing), seeds: 3 }, async (world) => {
    await world.run({ get: (step) => step.object<Counter>('Counter', 'a').get() }, { steps: 3 });
  });
  match(values.told.join('\n'), /^seed 1 drew random numbers with a function that was taken before/);
});

test('simulate ends a process whose object never yields, and says which it is', async () => {
  const program = fileURLToPath(new URL('./testdata/endless-loop.ts', import.meta.url));
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, [program], (error, _stdout, stderr) => resolve(`${error?.signal} ${stderr}`));
  });
  match(said, /^SIGKILL gatehouse: seed 1: Looping [0-9a-f]+ \(a\) has computed for \d+ s without a pause/);
});

test('simulate refuses options that it cannot follow, by an error of their own', async () => {
  const refuses = async (options: SimulateOptions, message: RegExp): Promise<void> =>
    await rejects(simulate(options, count), { name: SimulationOptionsError.name, message });
  await refuses({ classes: {} }, /classes must be an object such as \{ Counter \}/);
  await refuses({ classes: { Counter: {} as never } }, /classes\.Counter must be a class/);
  await refuses({ ...kv(Counter), faults: ['rain' as never] }, /faults must be of crash, .*: rain/);
  await refuses({ ...kv(Counter), seeds: -1 }, /seeds must be a number/);
  await refuses({ ...kv(Counter), replay: 'nonsense!' }, /replay must be a seed or what/);
});

test('checkLinearizable accepts an order that explains the answers, and refuses answers without one', () => {
  const at = (
    number: number,
    name: string,
    output: unknown,
    [begunMs, endedMs]: [number, number],
  ): Operation => ({
    number,
    client: `client ${number}`,
    name,
    input: undefined,
    begunMs,
    endedMs,
    outcome: endedMs === Infinity ? 'unknown' : 'done',
    output,
  });
  const model = {
    start: 0,
    apply: (state: number, { name }: { name: string }) =>
      name === 'add' ? { state: state + 1, output: state + 1 } : { state, output: state },
  };
  checkLinearizable([at(1, 'add', 1, [0, 10]), at(2, 'get', 0, [5, 15]), at(3, 'get', 1, [20, 30])], model);
  // An operation whose answer was lost may have happened.
  checkLinearizable([at(1, 'add', undefined, [0, Infinity]), at(2, 'get', 1, [20, 30])], model);
  checkLinearizable([at(1, 'add', undefined, [0, Infinity]), at(2, 'get', 0, [20, 30])], model);
  const stale = [at(1, 'add', 1, [0, 10]), at(2, 'get', 0, [20, 30])];
  let refusal = '';
  try {
    checkLinearizable(stale, model);
  } catch (error) {
    refusal = String(error);
  }
  match(
    refusal,
    /no order of the operations explains their answers\n {2}client 1: add → 1\n {2}client 2: get → 0/,
  );
});

for (const storage of ['kv', 'sql'] as const) {
  test(`simulate tells what each moment changed in ${storage} storage, and what a host took with it that stopped`, async () => {
    let starts = 0;
    class Diary extends DurableObject {
      constructor(...parts: ConstructorParameters<typeof DurableObject>) {
        super(...parts);
        starts++;
      }

      /** Returns whether it existed already. */
      async write(): Promise<boolean> {
        const { sql } = this.ctx.storage;
        const seen = await this.ctx.storage.get('seen');
        if (storage === 'sql') {
          sql.exec('CREATE TABLE IF NOT EXISTS notes (text TEXT PRIMARY KEY) WITHOUT ROWID');
          sql.exec("INSERT OR IGNORE INTO notes VALUES ('hello')");
        }
        await this.ctx.storage.put('seen', { starts });
        return seen !== undefined;
      }
    }
    const { moments } = await fail(
      { classes: { Diary: { class: Diary, storage } }, faults: ['crash'], seeds: 500 },
      async (world) => {
        starts = 0;
        const wasThere = await world.object<Diary>('Diary', 'a', { retries: 3 }).write();
        ok(starts < 2 || wasThere, 'the host has stopped before the commit');
      },
    );
    const told = moments.flatMap(({ what, changes = [] }) =>
      changes.map(({ kind, table = '', key, before, after }) => ({
        what,
        kind,
        place: table + key,
        before,
        after,
      })),
    );
    const tables = told.filter(({ kind }) => kind === 'table' || kind === 'row');
    if (storage === 'sql')
      deepEqual(
        tables.slice(0, 2).map(({ place, before, after }) => [place, before, after]),
        [
          ['notes', undefined, 'text'],
          ['noteshello', undefined, "text: 'hello'"],
        ],
      );
    deepEqual(
      told.filter(({ kind }) => kind === 'value').map(({ before, after }) => [before, after]),
      [
        [undefined, '{ starts: 1 }'],
        ['{ starts: 1 }', undefined],
        [undefined, '{ starts: 2 }'],
      ],
    );
    ok(told.some(({ what }) => what === 'starts again with what is on disk'));
  });
}
