/** A small class and its story, for tests and for `bench/simulator`. */
import { ok } from 'node:assert/strict';
import { DurableObject } from '#objects';
import type { SimulateOptions } from '../simulate.ts';
import type { World } from '../world.ts';

export class Counter extends DurableObject {
  async add(count: number): Promise<number> {
    const value = (await this.get()) + count;
    await this.ctx.storage.put('value', value);
    return value;
  }

  async get(): Promise<number> {
    return (await this.ctx.storage.get<number>('value')) ?? 0;
  }
}

/** Clients count; at the end, every acknowledged addition is stored, and none that was not requested. */
export async function count(world: World): Promise<void> {
  let [sent, acknowledged] = [0, 0];
  await world.run({
    add: async (step) => {
      sent++;
      await step.object('Counter', 'a').add(1);
      acknowledged++;
    },
    get: (step) => step.object('Counter', 'a').get(),
  });
  await world.settle();
  const value = await world.object<Counter>('Counter', 'a').get();
  ok(value >= acknowledged && value <= sent, `${value} of ${acknowledged} acknowledged, ${sent} sent`);
}

/** A simulation of the class with values, and an outside that answers. */
export const kv = (each: typeof Counter): Pick<SimulateOptions, 'classes' | 'outside'> => ({
  classes: { Counter: { class: each, storage: 'kv' } },
  outside: () => new Response('ok'),
});
