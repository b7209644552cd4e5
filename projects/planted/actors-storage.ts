/** Migrations of a schema, each of which runs once in the life of an object. */
import { Storage } from '@cloudflare/actors/storage';
import { MigratedNotes, noteMigrations, simulateNotes } from './frames/notes.ts';

class Notes extends MigratedNotes {
  storage = Object.assign(new Storage(this.ctx.storage), { migrations: noteMigrations });

  migrate(): Promise<unknown> {
    return this.storage.runMigrations();
  }
}

export const sample = simulateNotes(Notes);
