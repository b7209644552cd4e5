/** A store whose cells are keys of the storage of an object. */
import { createDurableObjectStoragePersister } from 'tinybase/persisters/persister-durable-object-storage';
import { PersistedPets, simulatePets } from './frames/pets.ts';

class Pets extends PersistedPets {
  createPersister() {
    return createDurableObjectStoragePersister(this.store, this.ctx.storage);
  }
}

export const sample = simulatePets(Pets);
