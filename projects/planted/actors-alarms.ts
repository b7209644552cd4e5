/** Many things to do at their times, with the one alarm of an object. */
import { Alarms } from '@cloudflare/actors/alarms';
import { DurableObject } from 'cloudflare:workers';
import { defineSimulation } from 'gatehouse/testing';

class Reminders extends DurableObject {
  alarms = new Alarms(this.ctx, this);

  setName(): void {}

  async remind(what: string, inSeconds: number): Promise<void> {
    await this.alarms.schedule(inSeconds, 'send', what);
  }

  async send(what: string): Promise<void> {
    await this.ctx.storage.put(`sent/${what}`, Date.now());
  }

  async alarm(): Promise<void> {
    await this.alarms.alarm();
  }
}

export const sample = defineSimulation(
  // By the clock that defines the times, which is never set.
  { classes: { Reminders }, faults: ['crash', 'lostRequest', 'lostAnswer', 'diskFull', 'deploy', 'evict'] },
  async (world) => {
    const due = new Map<string, number>();
    await world.run({
      remind: async (step) => {
        const [what, inSeconds] = [`reminder ${step.number}`, step.whole(2, 60)];
        await step.object('Reminders', 'a').remind(what, inSeconds);
        due.set(what, step.now() + inSeconds * 1_000);
      },
    });
    await world.settle();
    const sent = await world.inside('Reminders', 'a', (_reminders, ctx) =>
      ctx.storage.list<number>({ prefix: 'sent/' }),
    );
    for (const [what, at] of due)
      if ((sent.get(`sent/${what}`) ?? Infinity) > at + 10_000)
        throw new Error('a reminder is not sent in time');
  },
);
