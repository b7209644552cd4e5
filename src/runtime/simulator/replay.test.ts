import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import realTimers from 'node:timers/promises';
import { DurableObject } from '#objects';
import { simulate, type SimulationReport } from './simulate.ts';
import { count, Counter, kv } from './testdata/counter.ts';

test('simulate gives the same random numbers, ids, dates and timers for the same seed', async () => {
  class Random extends DurableObject {
    async draw(): Promise<unknown> {
      await new Promise((resolve) => setTimeout(resolve, 100 * Math.random()));
      const before = performance.now();
      await new Promise((resolve) => setImmediate(resolve));
      return [
        [Math.random(), crypto.randomUUID(), crypto.getRandomValues(new Uint8Array(4)), Date.now()],
        [randomUUID(), randomBytes(4), randomInt(1_000), performance.now() - before],
      ];
    }
  }
  const draw = async (): Promise<unknown[]> => {
    const drawn: unknown[] = [];
    await simulate({ classes: { Random }, seeds: 2, faults: [] }, async (world) => {
      await world.run({ draw: (step) => step.object('Random', 'a').draw() }, { steps: 5 });
      drawn.push(...world.history.map(({ output }) => output));
    });
    return drawn;
  };
  const before = [
    Math.random,
    crypto.randomUUID,
    randomUUID,
    performance.now,
    setImmediate,
    crypto.subtle.digest,
  ];
  deepEqual(await draw(), await draw());
  deepEqual(
    [Math.random, crypto.randomUUID, randomUUID, performance.now, setImmediate, crypto.subtle.digest],
    before,
  );
});

test('simulate lives the same lives again however long other threads of Node take', async () => {
  class Hashing extends Counter {
    override async add(count: number): Promise<number> {
      const [hash, text] = await Promise.all([
        crypto.subtle.digest('SHA-256', new Uint8Array([count])),
        new Blob(['x']).text(),
      ]);
      return await super.add(Math.min(text.length, new Uint8Array(hash).length));
    }
  }
  const live = (replay?: string): Promise<SimulationReport> =>
    simulate({ ...kv(Hashing), seeds: 10, ...(replay === undefined ? {} : { replay }) }, count);
  const digest = crypto.subtle.digest.bind(crypto.subtle);
  const quick = await live();
  deepEqual(quick.told, []);
  try {
    // Each call takes another number of turns of the loop, and so meets other steps of the lives, unless time waits for
    // it.
    let calls = 0;
    crypto.subtle.digest = async (...args) => {
      for (let turns = 1 + (++calls % 7); turns > 0; turns--) await realTimers.setImmediate();
      return await digest(...args);
    };
    equal((await live()).trace, quick.trace);
  } finally {
    Reflect.deleteProperty(crypto.subtle, 'digest');
  }
  // A life alone is the same as after others.
  const alone = await simulate({ ...kv(Hashing), seeds: 1, firstSeed: 10 }, count);
  equal((await live('10')).trace, alone.trace);
});

test('simulate lets code give up a request to the outside that takes too long', async () => {
  class Hasty extends DurableObject {
    async ask(): Promise<string> {
      const begunMs = performance.now();
      const answer = await fetch('https://bank.test/', { signal: AbortSignal.timeout(1_000) }).then(
        () => 'answered',
        (error: Error) => error.name,
      );
      ok(performance.now() - begunMs <= 1_000, `${performance.now() - begunMs} ms`);
      return answer;
    }
  }
  const answers = new Set<unknown>();
  const { told } = await simulate(
    { classes: { Hasty }, outside: () => new Response(), faults: ['fetch'], seeds: 60 },
    async (world) => {
      await world.run({ ask: (step) => step.object<Hasty>('Hasty', 'a').ask() });
      for (const { output } of world.history) answers.add(output);
    },
  );
  deepEqual(told, []);
  deepEqual([...answers].toSorted(), ['TimeoutError', 'TypeError', 'answered']);
});
