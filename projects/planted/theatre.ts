/** There is one order of the bookings that explains every answer. */
import { checkLinearizable, defineSimulation } from 'gatehouse/testing';
import { Theatre } from './anew/theatre.ts';

export const sample = defineSimulation(
  { classes: { Theatre: { class: Theatre, storage: 'kv' } }, outside: () => new Response() },
  async (world) => {
    await world.run(
      {
        book: {
          input: (step) => step.client,
          run: (step, who: string) => step.object('Theatre', 'a').book('A1', who),
        },
      },
      { steps: 8, clients: 4 },
    );
    checkLinearizable(world.history, {
      start: '',
      apply: (owner, { input }) => ({ state: owner || String(input), output: owner || String(input) }),
    });
  },
);
