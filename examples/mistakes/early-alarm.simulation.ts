/** An alarm is set before what it announces is written: it may run and find nothing, and then nothing is done at all. */
import { DurableObject } from 'cloudflare:workers';
import { defineSimulation, type World } from 'gatehouse/testing';

class Orders extends DurableObject {
  async order(item: string): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + 50);
    // The alarm does not wait for this.
    await fetch('https://stock.example/', { method: 'POST', body: item });
    await this.ctx.storage.put(`open/${item}`, true);
  }

  async alarm(): Promise<void> {
    for (const key of (await this.ctx.storage.list({ prefix: 'open/' })).keys()) {
      await this.ctx.storage.put(key.replace('open/', 'sent/'), true);
      await this.ctx.storage.delete(key);
    }
  }

  async isSent(item: string): Promise<boolean> {
    return (await this.ctx.storage.get(`sent/${item}`)) === true;
  }
}

class MendedOrders extends Orders {
  override async order(item: string): Promise<void> {
    await fetch('https://stock.example/', { method: 'POST', body: item });
    // Nothing is waited for in between: both are in one commit.
    void this.ctx.storage.put(`open/${item}`, true);
    await this.ctx.storage.setAlarm(Date.now() + 50);
  }
}

async function story(world: World): Promise<void> {
  const acknowledged: string[] = [];
  await world.run(
    {
      order: async (step) => {
        const item = `item ${step.number}`;
        await step.object<Orders>('Orders', 'shop').order(item);
        acknowledged.push(item);
      },
    },
    { steps: 8 },
  );
  await world.settle();
  for (const item of acknowledged) {
    if (!(await world.object<Orders>('Orders', 'shop').isSent(item)))
      throw new Error('an order was acknowledged and is never sent');
  }
}

const outside = (): Response => new Response('reserved');
export const mistake = defineSimulation({ classes: { Orders }, outside, mustFail: true }, story);
export const mended = defineSimulation({ classes: { Orders: MendedOrders }, outside }, story);
