/** Objects that share the keys of one counter, called with retries. */
import { DurableObject } from 'cloudflare:workers';
import { StaticShardedDO } from 'durable-utils/do-sharding';
import { defineSimulation } from 'gatehouse/testing';

class Shard extends DurableObject {
  async add(key: string): Promise<void> {
    await this.ctx.storage.put(key, true);
  }

  async has(key: string): Promise<boolean> {
    return (await this.ctx.storage.get(key)) === true;
  }
}

class Front extends DurableObject<{ Shard: DurableObjectNamespace<Shard> }> {
  shards = new StaticShardedDO(this.env.Shard, { numShards: 3, shardGroupName: 'shards' });

  async add(key: string): Promise<boolean> {
    const { ok } = await this.shards.tryOne(key, (shard) => shard.add(key), {
      shouldRetry: (_error, attempt) => attempt < 9,
    });
    return ok;
  }

  async has(key: string): Promise<boolean> {
    return await this.shards.one(key, (shard) => shard.has(key));
  }
}

export const sample = defineSimulation({ classes: { Front, Shard } }, async (world) => {
  const acknowledged: string[] = [];
  await world.run({
    add: async (step) => {
      const key = `key ${step.number}`;
      if (await step.object('Front', 'a').add(key)) acknowledged.push(key);
    },
  });
  await world.settle();
  for (const key of acknowledged)
    if (!(await world.object('Front', 'a').has(key))) throw new Error('a key was added and is not there');
});
