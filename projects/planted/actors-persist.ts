/** A property that is kept whenever it is set. */
import { Actor, Persist } from '@cloudflare/actors';
import { defineSimulation } from 'gatehouse/testing';

class Basket extends Actor<unknown> {
  @Persist
  items: string[] = [];

  async add(item: string): Promise<void> {
    await this.setName('a');
    this.items = [...this.items, item];
  }

  async list(): Promise<string[]> {
    await this.setName('a');
    return [...this.items];
  }
}

export const sample = defineSimulation({ classes: { Basket } }, async (world) => {
  const acknowledged: string[] = [];
  await world.run({
    add: async (step) => {
      await step.object('Basket', 'a').add(`item ${step.number}`);
      acknowledged.push(`item ${step.number}`);
    },
  });
  await world.settle();
  const items = (await world.object('Basket', 'a').list()) as string[];
  for (const item of acknowledged)
    if (!items.includes(item)) throw new Error('an item was added and is gone');
});
