/** Migrations of a schema that are written down in a table. */
import { DurableObject } from 'cloudflare:workers';
import { defineSimulation } from 'gatehouse/testing';
import { DOQB } from 'workers-qb';

class Staff extends DurableObject {
  qb = new DOQB(this.ctx.storage.sql);

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env);
    void ctx.blockConcurrencyWhile(async () => {
      const migrations = [
        { name: 'staff', sql: 'CREATE TABLE staff (name TEXT NOT NULL);' },
        { name: 'rooms', sql: 'ALTER TABLE staff ADD COLUMN room TEXT;' },
      ];
      this.qb.migrations({ migrations }).apply();
    });
  }

  async add(name: string): Promise<void> {
    this.qb.insert({ tableName: 'staff', data: { name, room: 'a' } }).execute();
  }

  async count(): Promise<number> {
    return this.qb.fetchAll({ tableName: 'staff' }).execute().results.length;
  }
}

export const sample = defineSimulation({ classes: { Staff } }, async (world) => {
  let acknowledged = 0;
  await world.run({
    add: async (step) => {
      await step.object('Staff', 'a').add(`person ${step.number}`);
      acknowledged++;
    },
  });
  await world.settle();
  const count = await world.object('Staff', 'a').count();
  if (count < acknowledged) throw new Error(`${acknowledged} were added, and ${count} are there`);
});
