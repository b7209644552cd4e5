import { DurableObject } from 'cloudflare:workers';

export class Room extends DurableObject {
  fetch() {
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    return new Response(null, { status: 101, webSocket: client });
  }

  webSocketMessage(ws, message) {
    if (message === 'all') for (const each of this.ctx.getWebSockets()) each.send('to all');
    else ws.send(message);
  }

  webSocketClose(ws, code) {
    ws.close(code === 1005 || code === 1006 ? 1000 : code);
  }
}

export default {
  fetch(request, env) {
    const room = new URL(request.url).searchParams.get('room');
    return room === null ? new Response('ready') : env.ROOMS.getByName(room).fetch(request);
  },
};
