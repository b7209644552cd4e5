/** Notes in a table that migrations have made, however they are run: those that were taken are there. */
import { DurableObject } from 'cloudflare:workers';
import { defineSimulation } from 'gatehouse/testing';

export const noteMigrations = [
  { idMonotonicInc: 1, description: 'notes', sql: 'CREATE TABLE notes (text TEXT)' },
  { idMonotonicInc: 2, description: 'authors', sql: 'ALTER TABLE notes ADD COLUMN author TEXT' },
];

export abstract class MigratedNotes extends DurableObject {
  protected abstract migrate(): Promise<unknown>;

  async add(text: string): Promise<void> {
    await this.migrate();
    this.ctx.storage.sql.exec('INSERT INTO notes (text, author) VALUES (?, ?)', text, 'somebody');
  }

  async count(): Promise<number> {
    await this.migrate();
    return this.ctx.storage.sql.exec<{ count: number }>('SELECT count(*) AS count FROM notes').one().count;
  }
}

export function simulateNotes(Notes: new (ctx: DurableObjectState, env: never) => MigratedNotes) {
  return defineSimulation({ classes: { Notes: Notes as never } }, async (world) => {
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
}
