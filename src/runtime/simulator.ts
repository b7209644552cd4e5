/**
 * Runs users' objects, unmodified, in thousands of seeded simulations: on the runtime that serves them, with the order
 * of events, the time and the faults drawn from a seed. A failing run (a life) is reported as the shortest story with
 * that failure.
 *
 * ```ts
 * await simulate({ classes: { Counter } }, async (world) => {
 *   let acknowledged = 0;
 *   await world.run({
 *     add: async (step) => {
 *       await step.object('Counter', 'visits').add(1);
 *       acknowledged++;
 *     },
 *   });
 *   await world.settle();
 *   ok((await world.object('Counter', 'visits').get()) >= acknowledged);
 * });
 * ```
 *
 * A test of one course of events gets objects in memory, empty at each start, with a clock that the test controls:
 *
 * ```ts
 * await using objects = await openTestObjects({ classes: { Counter } });
 * const counter = objects.namespace<Counter>('Counter').getByName('visits');
 * await counter.increment();
 * await objects.runInDurableObject(counter, (instance, ctx) => ctx.storage.get('value')); // 1
 * await objects.clock.advance(60_000); // alarms that are due run
 * ```
 *
 * A simulation keeps the promises of the runtime: an acknowledged write is not lost, a turn is committed whole or not
 * at all, calls of one stub arrive in order, an alarm runs at least once. Everything else may happen.
 */
export {
  checkAtMostOnce,
  checkExactlyOnce,
  checkLinearizable,
  type EffectOptions,
  type Model,
} from './simulator/checks.ts';
export {
  DefinedSimulation,
  type DefinedOptions,
  defineSimulation,
  simulate,
  type SimulateOptions,
  type SimulationReport,
} from './simulator/simulate.ts';
export { SeededGlobals } from './simulator/chances/seeded-globals.ts';
export { type FaultKind, faultKinds } from './simulator/chances/faults.ts';
export type { Operation } from './simulator/history.ts';
export { type SimulationOptions, type Story, SimulationOptionsError } from './simulator/options.ts';
export type { Delivery } from './simulator/surroundings/outside.ts';
export { SimulationFailure } from './simulator/story/simulation-failure.ts';
export type { StorageChange } from './simulator/story/storage-watch.ts';
export type { Moment } from './simulator/story/timeline.ts';
export type { Participant, ObjectOptions, Operations, RunOptions, Step, World } from './simulator/world.ts';
export {
  openTestObjects,
  TestObjects,
  type TestObjectsOptions,
} from './simulator/test-objects/test-objects.ts';
