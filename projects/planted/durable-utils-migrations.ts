/** Migrations of a schema, each of which runs once in the life of an object. */
import { SQLSchemaMigrations } from 'durable-utils/sql-migrations';
import { MigratedNotes, noteMigrations, simulateNotes } from './frames/notes.ts';

class Notes extends MigratedNotes {
  migrations = new SQLSchemaMigrations({ doStorage: this.ctx.storage, migrations: noteMigrations });

  migrate(): Promise<unknown> {
    return this.migrations.runAll();
  }
}

export const sample = simulateNotes(Notes);
