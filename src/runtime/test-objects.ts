/**
 * Objects in memory for tests: the runtime that serves them elsewhere, empty at each start, with time in the hand of the
 * test.
 *
 * ```ts
 * await using objects = await openTestObjects({ classes: { Counter } });
 * const counter = objects.namespace<Counter>('Counter').getByName('visits');
 * await counter.increment();
 * await objects.runInDurableObject(counter, (instance, ctx) => ctx.storage.get('value')); // 1
 * await objects.clock.advance(60_000); // alarms that are due run
 * ```
 */
export { openTestObjects, TestObjects, type TestObjectsOptions } from './test-objects/test-objects.ts';
