import { DurableObject } from 'cloudflare:workers';

/** Collects what comes within ten seconds and sends it on together, after the sample "Use the Alarms API". */
export class Batcher extends DurableObject {
  count = 0;

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env);
    void ctx.blockConcurrencyWhile(async () => {
      const [last] = (await ctx.storage.list({ reverse: true, limit: 1 })).keys();
      this.count = last === undefined ? 0 : Number(last);
    });
  }

  async add(item: string): Promise<void> {
    const key = String(++this.count).padStart(9, '0');
    if ((await this.ctx.storage.getAlarm()) === null) void this.ctx.storage.setAlarm(Date.now() + 10_000);
    await this.ctx.storage.put(key, item);
  }

  async alarm(): Promise<void> {
    const items = await this.ctx.storage.list<string>();
    if (items.size === 0) return;
    await fetch('https://batches.test/', { method: 'POST', body: JSON.stringify([...items.values()]) });
    await this.ctx.storage.delete([...items.keys()]);
  }
}
