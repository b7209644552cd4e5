/** A store that is kept in a table, row by row. */
import { createDurableObjectSqlStoragePersister } from 'tinybase/persisters/persister-durable-object-sql-storage';
import { PersistedPets, simulatePets } from './frames/pets.ts';

class Pets extends PersistedPets {
  createPersister() {
    return createDurableObjectSqlStoragePersister(this.store, this.ctx.storage.sql, { mode: 'fragmented' });
  }
}

export const sample = simulatePets(Pets);
