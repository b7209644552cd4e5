import { equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../faults/random.ts';
import { type House, type Kind, abort, evictionMs, kinds, openHouse, run, turn } from './harness.ts';
import { HeldDisk } from './held-disk.ts';

/** The known state of a counter, from outside. */
interface Known {
  readonly kind: Kind;
  readonly name: string;
  acknowledged: number;
  asked: number;
}

/** Increments it in two places that must always agree. */
async function increment(house: House, known: Known): Promise<void> {
  known.asked++;
  try {
    const value = await run(house.stub(known.name, known.kind), async ({ storage }) => {
      const next = ((await storage.get<number>('value')) ?? 0) + 1;
      await storage.put('value', next);
      await storage.put('mirror', next);
      return next;
    });
    known.acknowledged = Math.max(known.acknowledged, value);
  } catch (error) {
    const { durableObjectReset, retryable } = error as { durableObjectReset?: boolean; retryable?: boolean };
    ok(durableObjectReset === true || retryable === true, String(error));
  }
}

async function check(house: House, known: Known): Promise<void> {
  const { kind, name, acknowledged, asked } = known;
  const [value = 0, mirror = 0] = await run(house.stub(name, kind), async ({ storage }) => [
    await storage.get<number>('value'),
    await storage.get<number>('mirror'),
  ]);
  equal(value, mirror, `${kind} ${name} is half written`);
  ok(
    value >= acknowledged && value <= asked,
    `${kind} ${name}: ${value} of ${asked}, ${acknowledged} acknowledged`,
  );
}

async function disturb(house: House, known: Known, random: Random): Promise<void> {
  const stub = house.stub(known.name, known.kind);
  const choice = random.below(6);
  if (choice === 0) await abort(stub);
  else if (choice === 1) await house.clock.advance(evictionMs);
  else if (choice === 2) await house.reopen();
  else if (choice === 3) await house.runtime.giveBackHistory();
  else if (known.kind === 'sql') {
    const history = house.runtime.history(stub);
    using past = await history.readAt(await history.current());
    equal(past.get('value'), past.get('mirror'));
  }
}

const seed = Number(process.env['FAULTS_SEED'] ?? 1);
const rounds = 150;

test('no counter loses an acknowledged step, whatever fails, resets or restarts meanwhile', async (t) => {
  const random = new Random(seed);
  const disk = new HeldDisk();
  const house = await openHouse(t, { fs: disk, retentionMs: 60_000, segmentBytes: 32 * 1024 });
  const all = kinds.flatMap((kind) =>
    ['a', 'b', 'c'].map((name): Known => ({ kind, name, acknowledged: 0, asked: 0 })),
  );
  for (let round = 0; round < rounds; round++) {
    const faulty = random.chance(0.4);
    if (faulty) disk.hold('syncs');
    const calls: Array<Promise<unknown>> = [];
    for (let count = random.below(8); count > 0; count--) {
      calls.push(increment(house, random.pick(all)));
      if (random.chance(0.3)) await turn();
      if (faulty && random.chance(0.2))
        calls.push(abort(house.stub(random.pick(all).name, random.pick(kinds))));
    }
    for (let turns = random.below(5); turns > 0; turns--) await turn();
    if (faulty && random.chance(0.5)) disk.fail();
    else disk.release();
    if (random.chance(0.5)) await Promise.all(calls);
    if (random.chance(0.3)) await disturb(house, random.pick(all), random).catch(allowReset);
    await Promise.all(calls);
    await check(house, random.pick(all));
  }
  await house.reopen();
  for (const known of all) await check(house, known);
  await house.checkDisk();
});

/** A write of an operator's call may fail. */
function allowReset(error: unknown): void {
  ok(
    /could not be made durable|cannot make a write durable|cannot reach the object/.test(String(error)),
    String(error),
  );
}
