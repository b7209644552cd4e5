/** Migrations of a schema, each of which runs once in the life of an object. */
import { DurableObject } from 'cloudflare:workers';
import { SQLSchemaMigrations } from 'durable-utils/sql-migrations';
import { defineSimulation } from 'gatehouse/testing';

class Notes extends DurableObject {
  migrations = new SQLSchemaMigrations({
    doStorage: this.ctx.storage,
    migrations: [
      { idMonotonicInc: 1, description: 'notes', sql: 'CREATE TABLE notes (text TEXT)' },
      { idMonotonicInc: 2, description: 'authors', sql: 'ALTER TABLE notes ADD COLUMN author TEXT' },
    ],
  });

  async add(text: string): Promise<void> {
    await this.migrations.runAll();
    this.ctx.storage.sql.exec('INSERT INTO notes (text, author) VALUES (?, ?)', text, 'somebody');
  }

  async count(): Promise<number> {
    await this.migrations.runAll();
    return this.ctx.storage.sql.exec<{ count: number }>('SELECT count(*) AS count FROM notes').one().count;
  }
}

export const sample = defineSimulation({ classes: { Notes } }, async (world) => {
  let acknowledged = 0;
  await world.run({
    add: async (step) => {
      await step.object('Notes', 'a').add(`note ${step.number}`);
      acknowledged++;
    },
  });
  await world.settle();
  const count = await world.object('Notes', 'a').count();
  if (count < acknowledged) throw new Error(`${acknowledged} notes were taken, and ${count} are there`);
});
