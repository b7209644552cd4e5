/** Tags that are collected for some seconds and purged together by an alarm. */
import { BucketCachePurge } from '@opennextjs/cloudflare/durable-objects/bucket-cache-purge';
import { defineSimulation } from 'gatehouse/testing';

export const sample = defineSimulation(
  {
    classes: { BucketCachePurge },
    env: { CACHE_PURGE_ZONE_ID: 'zone', CACHE_PURGE_API_TOKEN: 'token' },
    // A purge that fails is not repeated: the class says so.
    faults: ['crash', 'lostRequest', 'lostAnswer', 'lateAlarm', 'deploy', 'evict'],
    outside: () => Response.json({ success: true }),
  },
  async (world) => {
    const acknowledged: string[] = [];
    await world.run({
      purge: async (step) => {
        await step.sleep(step.whole(0, 12_000));
        const tag = `tag ${step.number}`;
        await step.object('BucketCachePurge', 'a').purgeCacheByTags([tag]);
        acknowledged.push(tag);
      },
    });
    await world.settle();
    for (const tag of acknowledged)
      if (!world.deliveries.some(({ body }) => body.includes(`"${tag}"`)))
        throw new Error('a tag was accepted and is never purged');
  },
);
