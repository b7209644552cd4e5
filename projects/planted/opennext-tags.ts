/** When tags were last revalidated, in a table. */
import { DOShardedTagCache } from '@opennextjs/cloudflare/durable-objects/sharded-tag-cache';
import { defineSimulation } from 'gatehouse/testing';

export const sample = defineSimulation({ classes: { DOShardedTagCache } }, async (world) => {
  const acknowledged = new Map<string, number>();
  await world.run({
    write: async (step) => {
      const tag = step.pick(['a', 'b', 'c']);
      await step.object('DOShardedTagCache', 'a').writeTags([{ tag, stale: step.number }]);
      acknowledged.set(tag, step.number);
    },
    read: async (step) => {
      const tag = step.pick(['a', 'b', 'c']);
      const isWritten = acknowledged.has(tag);
      const data = await step.object('DOShardedTagCache', 'a').getTagData([tag]);
      if (isWritten && data[tag] === undefined) throw new Error('a tag was written and is not there');
    },
  });
  await world.settle();
  await world.object('DOShardedTagCache', 'a').getTagData(['a']);
});
