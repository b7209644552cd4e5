/** Hits of a client, forgotten by an alarm when the window is over. */
import { DurableObjectRateLimiter } from '@hono-rate-limiter/cloudflare';
import { defineSimulation } from 'gatehouse/testing';

export const sample = defineSimulation({ classes: { DurableObjectRateLimiter } }, async (world) => {
  let acknowledged = 0;
  await world.run(
    {
      hit: async (step) => {
        await step.object('DurableObjectRateLimiter', 'a').update(1, 86_400_000);
        acknowledged++;
      },
    },
    { clients: 4 },
  );
  await world.settle();
  const { totalHits } = await world.inside('DurableObjectRateLimiter', 'a', async (_object, ctx) => {
    return (await ctx.storage.get('value')) ?? { totalHits: 0 };
  });
  if (totalHits < acknowledged)
    throw new Error(`${acknowledged} hits were answered, and ${totalHits} are counted`);
});
