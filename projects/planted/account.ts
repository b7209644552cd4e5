/** Each payment counts once, though its sender tries again when it hears nothing. */
import { defineSimulation } from 'gatehouse/testing';
import { Account } from './anew/account.ts';

export const sample = defineSimulation({ classes: { Account } }, async (world) => {
  let [sent, acknowledged] = [0, 0];
  await world.run({
    pay: async (step) => {
      sent++;
      await step.object('Account', 'a', { retries: 3 }).pay(`payment ${step.number}`, 1);
      acknowledged++;
    },
  });
  await world.settle();
  const balance = await world.object('Account', 'a').balance();
  if (balance < acknowledged || balance > sent)
    throw new Error(`${sent} were sent, and the balance is ${balance}`);
});
