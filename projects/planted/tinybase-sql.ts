/** A store that is kept in a table, row by row. */
import { DurableObject } from 'cloudflare:workers';
import { defineSimulation } from 'gatehouse/testing';
import { createMergeableStore } from 'tinybase';
import { createDurableObjectSqlStoragePersister } from 'tinybase/persisters/persister-durable-object-sql-storage';

class Pets extends DurableObject {
  store = createMergeableStore();
  persister = createDurableObjectSqlStoragePersister(this.store, this.ctx.storage.sql, {
    mode: 'fragmented',
  });

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env);
    void ctx.blockConcurrencyWhile(async () => void (await this.persister.load()));
  }

  async add(name: string): Promise<void> {
    this.store.setRow('pets', name, { species: 'cat' });
    await this.persister.save();
  }

  async names(): Promise<string[]> {
    return this.store.getRowIds('pets');
  }
}

export const sample = defineSimulation({ classes: { Pets } }, async (world) => {
  const acknowledged: string[] = [];
  await world.run({
    add: async (step) => {
      await step.object('Pets', 'a').add(`pet ${step.number}`);
      acknowledged.push(`pet ${step.number}`);
    },
  });
  await world.settle();
  const names = (await world.object('Pets', 'a').names()) as string[];
  for (const name of acknowledged) if (!names.includes(name)) throw new Error('a pet was added and is gone');
});
