/** Properties of an object that are kept when a request is over. */
import { defineSimulation } from 'gatehouse/testing';
import { createDurable } from 'itty-durable';

class Counter extends createDurable({ autoPersist: true, autoReturn: true }) {
  counter = 0;

  increment(): number {
    return ++this.counter;
  }
}

export const sample = defineSimulation(
  { classes: { Counter: { class: Counter, storage: 'kv' } } },
  async (world) => {
    let acknowledged = 0;
    const call = async (hand: typeof world, action: string): Promise<number> => {
      const response = await hand.object('Counter', 'a').fetch(`https://object.test/do/${action}`);
      return (await response.json()) as number;
    };
    await world.run({
      increment: async (step) => {
        await call(step as never, 'call/increment');
        acknowledged++;
      },
    });
    await world.settle();
    const counter = await call(world, 'get-prop/counter');
    if (counter < acknowledged) throw new Error(`${acknowledged} were counted, and ${counter} are left`);
  },
);
