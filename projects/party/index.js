import { routePartykitRequest, Server } from 'partyserver';
import { YServer } from 'y-partyserver';
import * as Y from 'yjs';

export class Room extends Server {
  onRequest(request) {
    return Response.json({ room: this.name, method: request.method });
  }

  onMessage(connection, message) {
    this.broadcast(`${this.name} heard ${message}`);
  }
}

/** A document that is shared by Yjs. */
export class Notes extends YServer {
  async onRequest(request) {
    if (request.method === 'POST') this.document.getText('notes').insert(0, await request.text());
    const length = Y.encodeStateVector(this.document).length > 0;
    return Response.json({ text: this.document.getText('notes').toString(), length });
  }
}

export default {
  fetch: async (request, env) =>
    (await routePartykitRequest(request, env)) ?? new Response('no such party', { status: 404 }),
};
