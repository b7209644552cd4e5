/** Each kind of fault of a simulation is observed, and stays within the promises of the runtime. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { execFileSync, execSync, fork, spawn, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { get } from 'node:http';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { DurableObject, MemoryHome } from '#objects';
import type { FaultKind } from './chances/faults.ts';
import { simulate, type SimulateOptions } from './simulate.ts';
import type { World } from './world.ts';

/** Runs 100 lives with these faults, and counts what the story observes. */
async function tally(
  classes: SimulateOptions['classes'],
  faults: readonly FaultKind[],
  story: (world: World, see: (what: string) => void) => Promise<void>,
  options: Partial<SimulateOptions> = {},
): Promise<Record<string, number>> {
  const seen: Record<string, number> = {};
  const see = (what: string): void => void (seen[what] = (seen[what] ?? 0) + 1);
  await simulate({ classes, faults, seeds: 100, ...options }, (world) => story(world, see));
  return seen;
}

/** Writes a number under two keys in one turn, and the next number without waiting for the first. */
class Ledger extends DurableObject {
  async write(number: number): Promise<void> {
    void this.ctx.storage.put(`a${number}`, number);
    await this.ctx.storage.put(`b${number}`, number);
  }

  async writeTwo(first: number): Promise<void> {
    const before = this.write(first);
    await new Promise((resolve) => setTimeout(resolve, 1));
    await Promise.all([before, this.write(first + 1)]);
  }

  async keys(): Promise<string[]> {
    return [...(await this.ctx.storage.list()).keys()];
  }
}

const ledgers = { Ledger: { class: Ledger, storage: 'kv' } } as const;

/** Checks which writes are stored, acknowledged or not; throws if a promise is broken. */
async function lookAtLedger(world: World, see: (what: string) => void): Promise<void> {
  const written: number[] = [];
  const answered = new Set<number>();
  const took = new Map<number, number>();
  await world.run(
    {
      write: async (step) => {
        const number = step.number * 10;
        const begunMs = step.now();
        written.push(number);
        await step.object('Ledger', 'a').writeTwo(number);
        answered.add(number);
        took.set(number, step.now() - begunMs);
      },
    },
    { steps: 6 },
  );
  await world.settle();
  const keys = new Set((await world.object('Ledger', 'a').keys()) as string[]);
  for (const number of written) {
    const [isFirst, isSecond] = [keys.has(`a${number}`), keys.has(`a${number + 1}`)];
    equal(isFirst, keys.has(`b${number}`), 'a turn is on disk whole or not at all');
    equal(isSecond, keys.has(`b${number + 1}`), 'a turn is on disk whole or not at all');
    ok(isFirst || !isSecond, 'commits are kept in order');
    if (answered.has(number)) {
      ok(isSecond, 'what was acknowledged is there');
      see((took.get(number) ?? 0) > 1_000 ? 'answered late' : 'answered');
    } else see(isSecond ? 'kept, never heard of' : isFirst ? 'half of it kept' : 'lost');
  }
}

test('simulate stops hosts before, between and after commits, and keeps what was acknowledged', async () => {
  const seen = await tally(ledgers, ['crash'], lookAtLedger);
  for (const what of ['answered', 'lost', 'half of it kept', 'kept, never heard of'])
    ok(seen[what]! > 0, what);
});

test('simulate lets a host hang: it comes back, or it is fenced and what it did is lost or kept', async () => {
  const seen = await tally(ledgers, ['stall'], lookAtLedger);
  for (const what of ['answered', 'answered late', 'lost', 'kept, never heard of']) ok(seen[what]! > 0, what);
});

test('simulate fills the disk: the object is reset, its caller gets an error, and the commit is not there', async () => {
  const seen = await tally(ledgers, ['diskFull'], lookAtLedger);
  for (const what of ['answered', 'lost']) ok(seen[what]! > 0, what);
});

test('simulate loses requests before they arrive, and answers after the commit', async () => {
  const lostRequests = await tally(ledgers, ['lostRequest'], lookAtLedger);
  deepEqual(Object.keys(lostRequests).toSorted(), ['answered', 'lost']);
  const lostAnswers = await tally(ledgers, ['lostAnswer'], lookAtLedger);
  deepEqual(Object.keys(lostAnswers).toSorted(), ['answered', 'kept, never heard of']);
});

test('simulate delivers requests to the outside late, not at all, twice, and without an answer', async () => {
  class Caller extends DurableObject {
    async call(body: string): Promise<string> {
      const begunMs = Date.now();
      const isAnswered = await fetch('https://outside.test/', { method: 'POST', body }).then(
        () => true,
        () => false,
      );
      return `${isAnswered ? 'answered' : 'failed'}${Date.now() - begunMs > 1_000 ? ' late' : ''}`;
    }
  }
  const seen = await tally(
    { Caller },
    ['fetch'],
    async (world, see) => {
      await world.run({
        call: async (step) => {
          const body = String(step.number);
          const outcome = await step.object('Caller', 'a').call(body);
          see(`${outcome}, ${world.deliveries.filter((each) => each.body === body).length} arrived`);
        },
      });
    },
    { outside: () => new Response('ok'), seeds: 60 },
  );
  deepEqual(Object.keys(seen).toSorted(), [
    'answered late, 1 arrived',
    'answered, 1 arrived',
    'answered, 2 arrived',
    'failed, 0 arrived',
    'failed, 1 arrived',
  ]);
});

test('simulate sets the clock forward and back, and timers keep their time', async () => {
  class Watcher extends DurableObject {
    async look(): Promise<number> {
      const before = Date.now();
      await new Promise((resolve) => setTimeout(resolve, 50));
      return Date.now() - before;
    }
  }
  const seen = await tally({ Watcher: { class: Watcher, storage: 'kv' } }, ['clock'], async (world, see) => {
    await world.run({
      look: async (step) => {
        const passed = await step.object('Watcher', 'a').look();
        see(passed < 50 ? 'back' : passed > 200 ? 'forward' : 'as it goes');
      },
    });
  });
  deepEqual(Object.keys(seen).toSorted(), ['as it goes', 'back', 'forward']);
});

class Alarmed extends DurableObject {
  async arm(at: number): Promise<void> {
    await this.ctx.storage.setAlarm(at);
  }

  async alarm(): Promise<void> {
    await fetch('https://outside.test/', { method: 'POST', body: `${this.ctx.id.name} ${Date.now()}` });
  }
}

const alarmed = { Alarmed: { class: Alarmed, storage: 'kv' } } as const;
const outside = (): Response => new Response('ok');

test('simulate runs alarms late and never early, and two of the same moment in either order', async () => {
  const seen = await tally(
    alarmed,
    ['lateAlarm'],
    async (world, see) => {
      const at = world.now() + 1_000;
      await Promise.all(['a', 'b'].map((name) => world.object('Alarmed', name).arm(at)));
      await world.settle();
      const ran = world.deliveries.map(({ body }) => body.split(' ') as [name: string, time: string]);
      equal(ran.length, 2);
      for (const [name, time] of ran) {
        ok(Number(time) >= at, 'an alarm ran before its time');
        see(Number(time) > at + 100 ? 'late' : `in time ${ran[0]![0] === name ? 'first' : 'second'} ${name}`);
      }
    },
    { outside },
  );
  for (const what of ['late', 'in time first a', 'in time first b']) ok(seen[what]! > 0, what);
});

test('simulate says that an alarm was forgotten', async () => {
  // When its host stops, this home does not report alarms to the next one.
  const createHome = (parts: ConstructorParameters<typeof MemoryHome>[0]): MemoryHome => {
    const home = new MemoryHome(parts);
    home.alarmOf = () => undefined;
    return home;
  };
  const forget = simulate({ classes: alarmed, faults: ['crash'], createHome, outside }, async (world) => {
    await world.object('Alarmed', 'a', { retries: 9 }).arm(world.now() + 400);
    await world.sleep(2_000);
  });
  await rejects(forget, /the alarm of Alarmed \S+ was due at .* and has not run/);
});

test('simulate lets calls meet in every order that input gates allow, and in no other', async () => {
  const meet = async (pause: 'storage' | 'outside' | 'concurrent'): Promise<string[]> => {
    const orders = new Set<string>();
    let order = '';
    class Meeting extends DurableObject {
      async call(name: string): Promise<void> {
        order += `${name}1`;
        if (pause === 'outside') await fetch('https://outside.test/', { method: 'POST', body: name });
        else await this.ctx.storage.get('key', { allowConcurrency: pause === 'concurrent', noCache: true });
        order += `${name}2`;
      }
    }
    const classes = { Meeting: { class: Meeting, storage: 'kv' } } as const;
    await simulate({ classes, faults: [], outside, seeds: 150 }, async (world) => {
      order = '';
      await Promise.all(['a', 'b'].map((name) => world.object('Meeting', 'm').call(name)));
      orders.add(order);
    });
    return [...orders].toSorted();
  };
  const apart = ['a1a2b1b2', 'b1b2a1a2'];
  const every = ['a1a2b1b2', 'a1b1a2b2', 'a1b1b2a2', 'b1a1a2b2', 'b1a1b2a2', 'b1b2a1a2'];
  deepEqual(await meet('storage'), apart);
  deepEqual(await meet('outside'), every);
  deepEqual(await meet('concurrent'), every);
});

test('simulate puts idle objects away and deploys in between: memory is gone, storage stays', async () => {
  class Counted extends DurableObject {
    count = 0;

    async add(): Promise<[inMemory: number, stored: number]> {
      const stored = ((await this.ctx.storage.get<number>('count')) ?? 0) + 1;
      await this.ctx.storage.put('count', stored);
      return [++this.count, stored];
    }
  }
  for (const kind of ['evict', 'deploy'] as const) {
    const seen = await tally({ Counted: { class: Counted, storage: 'kv' } }, [kind], async (world, see) => {
      let acknowledged = 0;
      await world.run({
        add: async (step) => {
          const [inMemory, stored] = (await step.object('Counted', 'a').add()) as [number, number];
          acknowledged++;
          see(inMemory === 1 && stored > 1 ? 'begins again' : 'goes on');
        },
      });
      await world.settle();
      const [, stored] = (await world.object('Counted', 'a').add()) as [number, number];
      ok(stored > acknowledged);
    });
    deepEqual(Object.keys(seen).toSorted(), ['begins again', 'goes on'], kind);
  }
});

test('simulate tells of an invariant that throws, with the seed and the story', async () => {
  const invariant = (): never => {
    throw new RangeError('the sum is wrong');
  };
  const failing = simulate({ classes: ledgers, faults: [], invariant }, (world) =>
    world.run({ write: (step) => step.object('Ledger', 'a').write(step.number) }),
  );
  await rejects(failing, (error: Error) => {
    match(error.message, /^seed 1: the sum is wrong\n\nThe shortest story of \d+ tried: 0 of 20 steps/);
    ok(error.cause instanceof RangeError);
    return true;
  });
});

test('simulate refuses threads, native sockets and processes by name, in objects and nowhere else', async () => {
  class Escaping extends DurableObject {
    share(): void {
      const { WebAssembly } = globalThis as unknown as {
        WebAssembly: { Memory: new (options: object) => object };
      };
      void new WebAssembly.Memory({ initial: 1, maximum: 2, shared: true });
    }

    wait(): void {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    }

    start(): void {
      void new Worker('');
    }

    dial(): void {
      connect(1);
    }

    get(): void {
      get('http://localhost:1/');
    }

    listen(): void {
      createServer().listen(0);
    }

    send(): void {
      createSocket('udp4').send('', 1);
    }

    run(): void {
      spawn('true');
    }

    fork(): void {
      fork('true');
    }

    runNow(): void {
      spawnSync('true');
    }

    execute(): void {
      execSync('true');
    }

    executeFile(): void {
      execFileSync('true');
    }

    async later(): Promise<void> {
      await Atomics.waitAsync(new Int32Array(new SharedArrayBuffer(4)), 0, 0).value;
    }
  }
  const classes = { Escaping: { class: Escaping, storage: 'kv' } } as const;
  const refusals: Readonly<Record<Exclude<keyof Escaping, keyof DurableObject>, RegExp>> = {
    share: /WebAssembly\.Memory\(\{ shared: true \}\) cannot be simulated: when a thread runs/,
    wait: /Atomics\.wait\(\) cannot be simulated/,
    start: /a Worker of node:worker_threads cannot be simulated: when a thread runs/,
    dial: /a connection of node:net cannot be simulated: what a native socket does/,
    get: /a connection of node:net cannot be simulated/,
    listen: /a server of node:net cannot be simulated/,
    send: /a socket of node:dgram cannot be simulated/,
    run: /a process of node:child_process cannot be simulated: what another process does/,
    fork: /a process of node:child_process cannot be simulated/,
    runNow: /spawnSync\(\) of node:child_process cannot be simulated: what another process does/,
    execute: /execSync\(\) of node:child_process cannot be simulated/,
    executeFile: /execFileSync\(\) of node:child_process cannot be simulated/,
    later: /Atomics\.waitAsync\(\) cannot be simulated/,
  };
  for (const [method, refusal] of Object.entries(refusals)) {
    const call = simulate({ classes, faults: [], seeds: 1 }, async (world) => {
      // The story itself is not an object.
      createServer().listen(0, '127.0.0.1').close();
      await world.object('Escaping', 'a')[method]!();
    });
    await rejects(call, refusal, method);
  }
});
