/** Work that an agent does at a time. */
import { Agent } from 'agents';
import { defineSimulation } from 'gatehouse/testing';

class Planner extends Agent {
  async send(letter: string, inSeconds: number): Promise<void> {
    await this.__unsafe_ensureInitialized();
    await this.schedule(inSeconds, 'deliver', letter);
  }

  async deliver(letter: string): Promise<void> {
    await fetch('https://post.test/', { method: 'POST', body: letter });
  }
}

export const sample = defineSimulation(
  {
    classes: { Planner },
    outside: () => new Response(),
    // By the clock that defines the times, which is never set.
    faults: ['crash', 'lostRequest', 'lostAnswer', 'deploy', 'evict'],
  },
  async (world) => {
    const startMs = world.now();
    const due = new Map<string, number>();
    await world.run({
      send: async (step) => {
        const [letter, inSeconds] = [`letter ${step.number}`, step.whole(2, 60)];
        await step.object('Planner', 'a').send(letter, inSeconds);
        due.set(letter, step.now() - startMs + inSeconds * 1_000);
      },
    });
    await world.settle();
    for (const [letter, at] of due) {
      const sent = world.deliveries.find(({ body }) => body === letter);
      if (sent === undefined || sent.atMs > at + 10_000) throw new Error('a letter is not sent in time');
    }
  },
);
