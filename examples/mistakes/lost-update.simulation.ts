/** A value is read, something outside is waited for, and what was read is written back: calls that came meanwhile are lost. */
import { DurableObject } from 'cloudflare:workers';
import { defineSimulation, type World } from 'gatehouse/testing';

class Account extends DurableObject {
  async deposit(amount: number): Promise<void> {
    const balance = await this.balance();
    // While this waits, other calls come in, and read the same balance.
    await fetch('https://audit.example/', { method: 'POST', body: `deposit ${amount}` });
    await this.ctx.storage.put('balance', balance + amount);
  }

  async balance(): Promise<number> {
    return (await this.ctx.storage.get<number>('balance')) ?? 0;
  }
}

class MendedAccount extends Account {
  override async deposit(amount: number): Promise<void> {
    await fetch('https://audit.example/', { method: 'POST', body: `deposit ${amount}` });
    // From the read to the write nothing is waited for but storage: no other call comes in.
    await this.ctx.storage.put('balance', (await this.balance()) + amount);
  }
}

async function story(world: World): Promise<void> {
  let acknowledged = 0;
  await world.run({
    deposit: async (step) => {
      await step.object<Account>('Account', 'alice').deposit(1);
      acknowledged++;
    },
  });
  await world.settle();
  const balance = await world.object<Account>('Account', 'alice').balance();
  if (balance < acknowledged)
    throw new Error(`${acknowledged} deposits were acknowledged, and the balance is ${balance}`);
}

const outside = (): Response => new Response('noted');
export const mistake = defineSimulation({ classes: { Account }, outside, mustFail: true }, story);
export const mended = defineSimulation({ classes: { Account: MendedAccount }, outside }, story);
