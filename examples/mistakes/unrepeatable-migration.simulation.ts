/** A change of the schema in several turns: if the host stops in between, the next start fails, and so do all after it. */
import { DurableObject } from 'cloudflare:workers';
import { defineSimulation, type World } from 'gatehouse/testing';

class Prices extends DurableObject {
  constructor(ctx: DurableObject['ctx'], env: unknown) {
    super(ctx, env);
    void ctx.blockConcurrencyWhile(() => this.migrate());
  }

  protected async migrate(): Promise<void> {
    const { sql } = this.ctx.storage;
    if ((await this.ctx.storage.get('version')) === 2) return;
    sql.exec('CREATE TABLE prices (item TEXT PRIMARY KEY, cents INTEGER)');
    // What was written before is committed while this waits.
    const rate = await readRate();
    sql.exec('INSERT INTO prices VALUES (?, ?)', 'tea', 100 * rate);
    await this.ctx.storage.put('version', 2);
  }

  async price(item: string): Promise<unknown> {
    return this.ctx.storage.sql.exec('SELECT cents FROM prices WHERE item = ?', item).one()['cents'];
  }
}

class MendedPrices extends Prices {
  protected override async migrate(): Promise<void> {
    const { sql } = this.ctx.storage;
    if ((await this.ctx.storage.get('version')) === 2) return;
    const rate = await readRate();
    // One turn, one commit: all of it, or nothing.
    sql.exec('CREATE TABLE prices (item TEXT PRIMARY KEY, cents INTEGER)');
    sql.exec('INSERT INTO prices VALUES (?, ?)', 'tea', 100 * rate);
    await this.ctx.storage.put('version', 2);
  }
}

async function readRate(): Promise<number> {
  return Number(await (await fetch('https://rates.example/')).text());
}

async function story(world: World): Promise<void> {
  await world.run({ ask: (step) => step.object<Prices>('Prices', 'shop').price('tea') }, { steps: 6 });
  await world.settle();
  const price = await world.object<Prices>('Prices', 'shop').price('tea');
  if (price !== 200) throw new Error(`tea costs ${String(price)}`);
}

const outside = (): Response => new Response('2');
export const mistake = defineSimulation({ classes: { Prices }, outside, mustFail: true }, story);
export const mended = defineSimulation({ classes: { Prices: MendedPrices }, outside }, story);
