/** Something is done outside, and written down afterwards: if the host stops in between, it is done again. */
import { DurableObject } from 'cloudflare:workers';
import { checkAtMostOnce, defineSimulation, type FaultKind, type World } from 'gatehouse/testing';

class Subscription extends DurableObject {
  async start(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + 1_000);
  }

  /** An alarm runs at least once: again, if it was not known to be done. */
  async alarm(): Promise<void> {
    if ((await this.ctx.storage.get('charged')) === true) return;
    await this.charge();
    await this.ctx.storage.put('charged', true);
  }

  protected async charge(): Promise<void> {
    await fetch('https://bank.example/charges', { method: 'POST', body: 'january' });
  }
}

class MendedSubscription extends Subscription {
  protected override async charge(): Promise<void> {
    // The key is on disk before the request leaves, so every attempt carries the same: the bank does it once.
    const key = (await this.ctx.storage.get<string>('key')) ?? crypto.randomUUID();
    await this.ctx.storage.put('key', key);
    const headers = { 'Idempotency-Key': key };
    await fetch('https://bank.example/charges', { method: 'POST', headers, body: 'january' });
  }
}

async function story(world: World): Promise<void> {
  await world.object<Subscription>('Subscription', 'alice', { retries: 9 }).start();
  // Time for the alarm to run, with everything that can go wrong; then without.
  await world.sleep(5_000);
  await world.settle();
  checkAtMostOnce(world.deliveries, { effect: ({ body }) => `charge for ${body}` });
  if (world.deliveries.length === 0) throw new Error('alice was never charged');
}

const outside = (): Response => new Response('paid');
/** Also without a network that delivers twice. */
const faults: FaultKind[] = ['crash', 'lostAnswer', 'lateAlarm', 'deploy', 'evict'];
export const mistake = defineSimulation(
  { classes: { Subscription }, outside, faults, mustFail: true },
  story,
);
export const mended = defineSimulation({ classes: { Subscription: MendedSubscription }, outside }, story);
