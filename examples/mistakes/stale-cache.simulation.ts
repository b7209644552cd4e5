/** A value is kept in memory before its commit: when the commit is undone, memory goes on with what never happened. */
import { DurableObject } from 'cloudflare:workers';
import { defineSimulation, type Step, type World } from 'gatehouse/testing';

const startBalance = 100;

class Wallet extends DurableObject {
  protected known: number | undefined;

  async buy(item: string): Promise<void> {
    await this.ctx.storage.transaction(async () => {
      this.known = (await this.balance()) - 1;
      await this.ctx.storage.put('balance', this.known);
      // If this fails, the transaction is undone. What memory knows is not.
      await fetch('https://shop.example/', { method: 'POST', body: item });
    });
  }

  async balance(): Promise<number> {
    return this.known ?? (await this.stored());
  }

  async stored(): Promise<number> {
    return (await this.ctx.storage.get<number>('balance')) ?? startBalance;
  }
}

class MendedWallet extends Wallet {
  override async buy(item: string): Promise<void> {
    const left = await this.ctx.storage.transaction(async () => {
      const balance = (await this.stored()) - 1;
      await this.ctx.storage.put('balance', balance);
      await fetch('https://shop.example/', { method: 'POST', body: item });
      return balance;
    });
    // Memory follows what is committed.
    this.known = left;
  }
}

async function story(world: World): Promise<void> {
  let spentMost = 0;
  const buy = async (step: Step): Promise<void> => {
    spentMost++;
    try {
      await step.object<Wallet>('Wallet', 'alice').buy(`item ${step.number}`);
    } catch (error) {
      // The shop was not paid, so nothing is spent. Of a lost answer, nobody knows.
      if ((error as Error).message === 'fetch failed') spentMost--;
      throw error;
    }
  };
  await world.run({ buy }, { steps: 8 });
  await world.settle();
  const balance = await world.object<Wallet>('Wallet', 'alice').stored();
  if (balance < startBalance - spentMost)
    throw new Error(`at most ${spentMost} was spent, and of ${startBalance} there is ${balance}`);
}

const outside = (): Response => new Response('thank you');
export const mistake = defineSimulation({ classes: { Wallet }, outside, mustFail: true }, story);
export const mended = defineSimulation({ classes: { Wallet: MendedWallet }, outside }, story);
