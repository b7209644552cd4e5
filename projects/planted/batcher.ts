/** Nothing that was accepted is left out of every batch. */
import { defineSimulation } from 'gatehouse/testing';
import { Batcher } from './anew/batcher.ts';

export const sample = defineSimulation(
  { classes: { Batcher }, outside: () => new Response() },
  async (world) => {
    const acknowledged: string[] = [];
    await world.run({
      add: async (step) => {
        await step.sleep(step.whole(0, 8_000));
        await step.object('Batcher', 'a').add(`item ${step.number}`);
        acknowledged.push(`item ${step.number}`);
      },
    });
    await world.settle();
    const sent = new Set(world.deliveries.flatMap(({ body }) => JSON.parse(body) as string[]));
    for (const item of acknowledged)
      if (!sent.has(item)) throw new Error('an item was accepted and is never sent');
  },
);
