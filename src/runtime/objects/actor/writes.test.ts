import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers';
import { VirtualClock } from '#base';
import { WorkName } from '#work';
import { defaultLimits } from '../limits.ts';
import { Actor } from './actor.ts';
import type { CommittingStore } from './writes.ts';

function refuse(): never {
  throw new Error('database or disk is full');
}

async function startActor(store: CommittingStore): Promise<{ actor: Actor; ended: Actor[] }> {
  const ended: Actor[] = [];
  const actor = new Actor({
    work: new WorkName('an object'),
    clock: new VirtualClock(),
    limits: defaultLimits,
    scheduleRecord: (one) => one.writes.record(),
    onIdle: () => {},
    onEnd: (one) => ended.push(one),
    onEvent: () => {},
    onDisk: () => {},
    log: () => {},
  });
  await actor.start(
    async () => store,
    () => ({}),
  );
  return { actor, ended };
}

const fullStores: Record<string, CommittingStore> = {
  committed: { endTurn: refuse, record: () => undefined, close: () => {} },
  recorded: { endTurn: () => false, record: refuse, close: () => {} },
};

for (const [what, store] of Object.entries(fullStores)) {
  test(`Writes resets the object when a turn cannot be ${what}, as on a full disk`, async () => {
    const { actor, ended } = await startActor(store);
    actor.writes.before();
    await new Promise((resolve) => void setImmediate(resolve));
    match(actor.broken?.message ?? '', /could not be made durable: database or disk is full/);
    deepEqual(ended, [actor]);
  });
}

/** Counts the commits of what `body` writes in one macrotask. */
async function countTurns(body: (actor: Actor, write: (text: string) => void) => void): Promise<string[]> {
  const turns: string[] = [];
  let turn = '';
  const endTurn = (): boolean => {
    turns.push(turn);
    turn = '';
    return false;
  };
  const { actor } = await startActor({ endTurn, record: () => undefined, close: () => {} });
  setImmediate(() =>
    body(actor, (text) => {
      actor.writes.before();
      turn += text;
    }),
  );
  for (let macrotasks = 0; macrotasks < 5; macrotasks++) {
    await new Promise((resolve) => void setImmediate(resolve));
  }
  return turns;
}

test('Writes ends a turn when its microtasks have run out, however many there are', async () => {
  const turns = await countTurns(async (_, write) => {
    for (const text of 'abc') {
      write(text);
      for (let times = 0; times < 50; times++) await Promise.resolve();
    }
  });
  deepEqual(turns, ['abc']);
});

test('Writes ends a turn before the next macrotask, whoever made that', async () => {
  const turns = await countTurns((_, write) => {
    setImmediate(() => write('b'));
    write('a');
  });
  deepEqual(turns, ['a', 'b']);
});

test('Writes does not cut in two what is written from a tick of Node', async () => {
  for (const ticksFirst of [true, false]) {
    const turns = await countTurns(async (_, write) => {
      const tick = (): void =>
        process.nextTick(async () => {
          write('b');
          await Promise.resolve();
          write('c');
        });
      if (ticksFirst) tick();
      write('a');
      await Promise.resolve();
      if (!ticksFirst) tick();
    });
    equal(turns.join('|').includes('bc'), true, turns.join('|'));
  }
});

test('Writes starts what comes after the turn when it is committed, written before or beside', async () => {
  const turns = await countTurns((actor, write) => {
    write('a');
    actor.writes.afterTurn(async () => {
      write('c');
      await Promise.resolve();
      write('d');
    });
    void Promise.resolve().then(() => write('b'));
  });
  deepEqual(turns, ['ab', 'cd']);
});
