import { DurableObject } from 'cloudflare:workers';
import { createActor, createMachine } from 'xstate';

const machine = createMachine({
  id: 'light',
  initial: 'red',
  states: {
    red: { on: { NEXT: 'green' } },
    green: { on: { NEXT: 'yellow' } },
    yellow: { on: { NEXT: 'red' } },
  },
});

/** A machine whose state is stored. */
export class Light extends DurableObject {
  async next() {
    const snapshot = await this.ctx.storage.get('snapshot');
    const actor = createActor(machine, snapshot === undefined ? {} : { snapshot }).start();
    actor.send({ type: 'NEXT' });
    await this.ctx.storage.put('snapshot', actor.getPersistedSnapshot());
    return actor.getSnapshot().value;
  }
}

export default {
  fetch: async (request, env) => Response.json(await env.Light.getByName('one').next()),
};
