/** A room whose messages are loaded when it starts. */
import { defineSimulation } from 'gatehouse/testing';
import { Server } from 'partyserver';

class Room extends Server {
  messages: string[] = [];

  override async onStart(): Promise<void> {
    this.messages = (await this.ctx.storage.get<string[]>('messages')) ?? [];
  }

  override async onRequest(request: Request): Promise<Response> {
    const message = await request.text();
    if (message !== '') {
      this.messages.push(message);
      await this.ctx.storage.put('messages', this.messages);
    }
    return Response.json(this.messages);
  }
}

export const sample = defineSimulation({ classes: { Room } }, async (world) => {
  const acknowledged: string[] = [];
  await world.run({
    say: async (step) => {
      const body = `message ${step.number}`;
      await step.object('Room', 'a').fetch('https://room.test/', { method: 'POST', body });
      acknowledged.push(body);
    },
  });
  await world.settle();
  const left = (await (await world.object('Room', 'a').fetch('https://room.test/')).json()) as string[];
  for (const message of acknowledged)
    if (!left.includes(message)) throw new Error('a message was accepted and is gone');
});
