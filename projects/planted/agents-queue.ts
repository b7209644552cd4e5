/** Work that an agent does later, in order. */
import { Agent } from 'agents';
import { defineSimulation } from 'gatehouse/testing';

class Sender extends Agent {
  async send(letter: string): Promise<void> {
    await this.__unsafe_ensureInitialized();
    await this.queue('deliver', letter);
  }

  async deliver(letter: string): Promise<void> {
    await fetch('https://post.test/', { method: 'POST', body: letter });
  }
}

export const sample = defineSimulation(
  {
    classes: { Sender },
    outside: () => new Response(),
    // A callback that fails three times is given up: the class says so.
    faults: ['crash', 'lostRequest', 'lostAnswer', 'lateAlarm', 'deploy', 'evict'],
  },
  async (world) => {
    const acknowledged: string[] = [];
    await world.run({
      send: async (step) => {
        await step.object('Sender', 'a').send(`letter ${step.number}`);
        acknowledged.push(`letter ${step.number}`);
      },
    });
    await world.settle();
    for (const letter of acknowledged)
      if (!world.deliveries.some(({ body }) => body === letter))
        throw new Error('a letter was accepted and is never sent');
  },
);
