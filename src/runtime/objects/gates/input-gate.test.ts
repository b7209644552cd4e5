import { deepEqual, equal } from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { test } from 'node:test';
import { InputGate } from './input-gate.ts';

async function someTurns(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) await nextTurn();
}

test('InputGate lets events in one by one, each after the microtasks of the one before', async () => {
  const gate = new InputGate();
  const events: string[] = [];
  for (const name of ['a', 'b']) {
    gate.enter(() => {
      events.push(name);
      void Promise.resolve().then(() => Promise.resolve().then(() => events.push(`${name} later`)));
    });
  }
  deepEqual(events, []);
  await someTurns();
  deepEqual(events, ['a', 'a later', 'b', 'b later']);
});

test('InputGate keeps events waiting, in order, until every lock is released', async () => {
  const gate = new InputGate();
  const events: number[] = [];
  const first = gate.lock();
  const second = gate.lock();
  for (const event of [1, 2, 3]) gate.enter(() => events.push(event));
  first();
  await someTurns();
  deepEqual([events, gate.waiting], [[], true]);
  second();
  await someTurns();
  deepEqual([events, gate.waiting], [[1, 2, 3], false]);
});

test('InputGate stops letting events in as soon as one of them locks it', async () => {
  const gate = new InputGate();
  const events: number[] = [];
  let release = (): void => {};
  const hold = gate.lock();
  gate.enter(() => {
    events.push(1);
    release = gate.lock();
  });
  gate.enter(() => events.push(2));
  hold();
  await someTurns();
  deepEqual(events, [1]);
  release();
  await someTurns();
  deepEqual(events, [1, 2]);
});

test('InputGate starts waiting sections before events that waited longer', async () => {
  const gate = new InputGate();
  const events: string[] = [];
  const release = gate.lock();
  gate.enter(() => events.push('event'));
  gate.enterSection((_inner, leave) => {
    events.push('section');
    leave();
  });
  release();
  await someTurns();
  deepEqual(events, ['section', 'event']);
});

test('InputGate lets in through the inner gate what belongs to a section, and the rest when it ends', async () => {
  const gate = new InputGate();
  const events: string[] = [];
  let end = (): void => {};
  gate.enterSection((inner, leave) => {
    equal(inner.depth, 1);
    inner.enter(() => events.push('inside'));
    end = () => {
      leave();
      inner.enter(() => events.push('late'));
    };
  });
  gate.enter(() => events.push('outside'));
  await someTurns();
  deepEqual(events, ['inside']);
  end();
  await someTurns();
  deepEqual(events, ['inside', 'outside', 'late']);
});

test('InputGate that is broken lets nobody in any more', async () => {
  const gate = new InputGate();
  let entered = 0;
  gate.enter(() => entered++);
  gate.break(new Error('broken'));
  gate.enter(() => entered++);
  gate.enterSection(() => entered++);
  await someTurns();
  equal(entered, 0);
});

test('InputGate runs an event that stands in line when its section ends once, through the outer gate', async () => {
  const gate = new InputGate();
  let runs = 0;
  gate.enterSection((inner, leave) => {
    const release = inner.lock();
    setImmediate(leave);
    setImmediate(() => setImmediate(release));
    inner.enter(() => runs++);
  });
  gate.enterSection((inner, leave) => {
    setImmediate(leave);
    inner.enter(() => runs++);
  });
  await someTurns();
  await someTurns();
  deepEqual([runs, gate.waiting], [2, false]);
});
