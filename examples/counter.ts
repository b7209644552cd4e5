import { DurableObject } from 'cloudflare:workers';

/** A number that many clients may change at once without losing a change. Lives in key-value storage. */
export class Counter extends DurableObject {
  async value(): Promise<number> {
    return (await this.ctx.storage.get<number>('value')) ?? 0;
  }

  /** No lock is needed: nothing else runs in this object between the read and the write. */
  async increment(by: number): Promise<number> {
    const value = (await this.value()) + by;
    await this.ctx.storage.put('value', value);
    return value;
  }

  async reset(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }
}
