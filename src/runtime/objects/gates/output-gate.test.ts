import { deepEqual, equal, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { OutputGate } from './output-gate.ts';

test('OutputGate is open while nothing is held', () => {
  equal(new OutputGate().wait(), undefined);
});

test('OutputGate waits for the newest write before the words, never for a later one', async () => {
  const gate = new OutputGate();
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  gate.hold(first.promise);
  const early = gate.wait();
  gate.hold(second.promise);
  first.resolve();
  await early;
  const late = gate.wait();
  equal(late, second.promise);
  second.resolve();
  await late;
  await Promise.resolve();
  equal(gate.wait(), undefined);
});

test('OutputGate tells when words have to wait', () => {
  let waits = 0;
  const gate = new OutputGate(() => void waits++);
  void gate.wait();
  gate.hold(new Promise(() => {}));
  equal(waits, 0);
  void gate.wait();
  equal(waits, 1);
});

test('OutputGate rejects every waiter once a held write fails', async () => {
  const gate = new OutputGate();
  const write = Promise.withResolvers<void>();
  gate.hold(write.promise);
  const waiting = gate.wait();
  write.reject(new Error('disk'));
  await rejects(waiting!, { message: 'disk' });
});

test('OutputGate that is broken rejects whoever speaks, with the first cause', async () => {
  const gate = new OutputGate();
  gate.break(new Error('first'));
  gate.break(new Error('second'));
  await rejects(gate.wait()!, { message: 'first' });
});

test('OutputGate holds words back while its fence does not hold, written or not', async () => {
  let holds = false;
  const regained = Promise.withResolvers<void>();
  const fence = {
    get holds() {
      return holds;
    },
    regained: () => regained.promise,
  };
  const gate = new OutputGate(undefined, fence);
  const written = Promise.withResolvers<void>();
  const said: string[] = [];
  void gate.wait()!.then(() => said.push('read'));
  gate.hold(written.promise);
  void gate.wait()!.then(() => said.push('write'));
  written.resolve();
  await new Promise<void>((resolve) => void setImmediate(resolve));
  deepEqual(said, []);
  holds = true;
  regained.resolve();
  await new Promise<void>((resolve) => void setImmediate(resolve));
  deepEqual(said.toSorted(), ['read', 'write']);
  equal(gate.wait(), undefined);
});
