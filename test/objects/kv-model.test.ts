import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { type House, type Kind, abort, evictionMs, kinds, openHouse, run } from './harness.ts';
import { type Step, type Write, Model, arbitrarySteps } from './kv-model.ts';

/** The object's result for each kind of step; the model must return the same. */
async function perform(
  house: House,
  { name, kind }: { name: string; kind: Kind },
  step: Step,
): Promise<unknown> {
  const stub = house.stub(name, kind);
  switch (step.op) {
    case 'restart':
      return void (await house.reopen());
    case 'abort':
      return void (await abort(stub));
    case 'evict':
      return void (await house.clock.advance(evictionMs));
    case 'get':
      return await run(stub, ({ storage }) => storage.get(step.key));
    case 'getMany':
      return await run(stub, ({ storage }) => storage.get([...step.keys]));
    case 'list':
      return await run(stub, ({ storage }) => storage.list(step.options));
    case 'transaction':
      return await run(stub, ({ storage }) =>
        storage.transaction(async (txn) => {
          const answers: unknown[] = [];
          for (const write of step.writes) answers.push(await performWrite(txn, write));
          answers.push(await txn.list(step.options));
          if (!step.commit) txn.rollback();
          return answers;
        }),
      );
    default:
      return await run(stub, ({ storage }) => performWrite(storage, step));
  }
}

interface Target {
  put(...args: unknown[]): Promise<void>;
  delete(key: unknown): Promise<unknown>;
  deleteAll(): Promise<void>;
}

async function performWrite(target: Target, write: Write): Promise<unknown> {
  switch (write.op) {
    case 'put':
      return await target.put(write.key, write.value);
    case 'putMany':
      return await target.put(Object.fromEntries(write.entries));
    case 'delete':
      return await target.delete(write.key);
    case 'deleteMany':
      return await target.delete([...write.keys]);
    case 'deleteAll':
      return await target.deleteAll();
  }
}

for (const kind of kinds) {
  test(`storage, ${kind}, answers as a plain Map does, across restarts, resets and evictions`, async (t) => {
    // So small that it holds only a few values, and reads go to the tables.
    const house = await openHouse(t, { limits: { cacheBytesMax: 1_000 } });
    let objects = 0;
    const property = fc.asyncProperty(arbitrarySteps, async (steps) => {
      const name = `model ${++objects}`;
      const model = new Model();
      for (const step of steps) {
        deepEqual(await perform(house, { name, kind }, step), model.perform(step), fc.stringify(step));
      }
    });
    await fc.assert(property, { numRuns: Number(process.env['MODEL_RUNS'] ?? 40) });
  });
}
