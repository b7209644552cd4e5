/** Migrations of a schema, as drizzle-kit writes them. */
import { DurableObject } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/durable-sqlite';
import { migrate } from 'drizzle-orm/durable-sqlite/migrator';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { defineSimulation } from 'gatehouse/testing';

const users = sqliteTable('users', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
  room: text('room'),
});
const journal = {
  entries: [
    { idx: 0, when: 1_700_000_000_000, tag: 'users', breakpoints: true },
    { idx: 1, when: 1_700_000_100_000, tag: 'rooms', breakpoints: true },
  ],
};
const migrations = {
  m0000: 'CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL)',
  m0001: 'ALTER TABLE users ADD COLUMN room TEXT',
};

class Users extends DurableObject {
  db = drizzle(this.ctx.storage);

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env);
    void ctx.blockConcurrencyWhile(() => migrate(this.db, { journal, migrations }));
  }

  async add(id: number): Promise<void> {
    await this.db
      .insert(users)
      .values({ id, name: `user ${id}`, room: 'a' })
      .onConflictDoNothing();
  }

  async count(): Promise<number> {
    return (await this.db.select().from(users)).length;
  }
}

export const sample = defineSimulation({ classes: { Users } }, async (world) => {
  let acknowledged = 0;
  await world.run({
    add: async (step) => {
      await step.object('Users', 'a').add(step.number);
      acknowledged++;
    },
  });
  await world.settle();
  const count = await world.object('Users', 'a').count();
  if (count < acknowledged) throw new Error(`${acknowledged} were added, and ${count} are there`);
});
