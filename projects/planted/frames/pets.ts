/** A store of TinyBase that an object keeps, wherever its persister does: what was added is there. */
import { DurableObject } from 'cloudflare:workers';
import { defineSimulation } from 'gatehouse/testing';
import { createMergeableStore } from 'tinybase';

interface Persister {
  load(): Promise<unknown>;
  save(): Promise<unknown>;
}

export abstract class PersistedPets extends DurableObject {
  protected readonly store = createMergeableStore();
  readonly #persister = this.createPersister();

  constructor(ctx: DurableObjectState, env: never) {
    super(ctx, env);
    void ctx.blockConcurrencyWhile(async () => void (await this.#persister.load()));
  }

  protected abstract createPersister(): Persister;

  async add(name: string): Promise<void> {
    this.store.setRow('pets', name, { species: 'cat' });
    await this.#persister.save();
  }

  async names(): Promise<string[]> {
    return this.store.getRowIds('pets');
  }
}

export function simulatePets(Pets: new (ctx: DurableObjectState, env: never) => PersistedPets) {
  return defineSimulation({ classes: { Pets: Pets as never } }, async (world) => {
    const acknowledged: string[] = [];
    await world.run({
      add: async (step) => {
        await step.object('Pets', 'a').add(`pet ${step.number}`);
        acknowledged.push(`pet ${step.number}`);
      },
    });
    await world.settle();
    const names = (await world.object('Pets', 'a').names()) as string[];
    for (const name of acknowledged)
      if (!names.includes(name)) throw new Error('a pet was added and is gone');
  });
}
