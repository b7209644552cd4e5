/** A shared document that is loaded when its room starts, and saved by each client that changes it. */
import { defineSimulation } from 'gatehouse/testing';
import { YServer } from 'y-partyserver';
import { applyUpdate, Doc, encodeStateAsUpdate } from 'yjs';

class Document extends YServer {
  override async onLoad(): Promise<Doc> {
    const doc = new Doc();
    const stored = await this.ctx.storage.get<Uint8Array>('document');
    if (stored !== undefined) applyUpdate(doc, stored);
    return doc;
  }

  override async onSave(): Promise<void> {
    await this.ctx.storage.put('document', encodeStateAsUpdate(this.document));
  }

  async write(key: string): Promise<void> {
    await this.__unsafe_ensureInitialized();
    this.document.getMap('entries').set(key, true);
    await this.onSave();
  }

  async keys(): Promise<string[]> {
    await this.__unsafe_ensureInitialized();
    return [...this.document.getMap('entries').keys()];
  }
}

export const sample = defineSimulation({ classes: { Document } }, async (world) => {
  const acknowledged: string[] = [];
  await world.run({
    write: async (step) => {
      await step.object('Document', 'a').write(`entry ${step.number}`);
      acknowledged.push(`entry ${step.number}`);
    },
  });
  await world.settle();
  const keys = (await world.object('Document', 'a').keys()) as string[];
  for (const key of acknowledged)
    if (!keys.includes(key)) throw new Error('an entry was written and is gone');
});
