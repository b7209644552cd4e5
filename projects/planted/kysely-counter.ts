/** A counter that is read and written by queries. */
import { DurableObject } from 'cloudflare:workers';
import { defineSimulation } from 'gatehouse/testing';
import { Kysely } from 'kysely';
import { DODialect } from 'kysely-do';

class Counter extends DurableObject {
  db = new Kysely<{ counters: { name: string; value: number } }>({
    dialect: new DODialect({ ctx: this.ctx }),
  });

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env);
    ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value INTEGER)');
  }

  async read(): Promise<number> {
    const row = await this.db
      .selectFrom('counters')
      .select('value')
      .where('name', '=', 'a')
      .executeTakeFirst();
    return row?.value ?? 0;
  }

  async add(): Promise<number> {
    const value = (await this.read()) + 1;
    await this.db
      .insertInto('counters')
      .values({ name: 'a', value })
      .onConflict((it) => it.doUpdateSet({ value }))
      .execute();
    return value;
  }
}

export const sample = defineSimulation({ classes: { Counter } }, async (world) => {
  let acknowledged = 0;
  await world.run({
    add: async (step) => {
      await step.object('Counter', 'a').add();
      acknowledged++;
    },
  });
  await world.settle();
  const value = await world.object('Counter', 'a').read();
  if (value < acknowledged) throw new Error(`${acknowledged} were counted, and ${value} are left`);
});
