/** The module that the hosts of `hosts.test.ts` load, and those of a cluster. */
import { DurableObject } from '#objects';
import { type WebSocket, WebSocketPair } from '#sockets';
import { useLightFetch } from '#workers';

useLightFetch();

export class Room extends DurableObject {
  readonly instance = crypto.randomUUID();

  fetch(request: Request): Response {
    const pair = new WebSocketPair();
    this.ctx.acceptWebSocket(pair[1], [new URL(request.url).pathname]);
    pair[1].send('welcome');
    return new Response(null, { status: 101, webSocket: pair[0] } as ResponseInit);
  }

  async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    if (message === 'exit') process.exit(1);
    if (message === 'instance') return socket.send(this.instance);
    if (message === 'close') return socket.close(4001, 'by the object');
    // More than a value may have.
    if (typeof message === 'string' && message.length > 2 ** 21) return socket.send(message);
    await this.ctx.storage.put('last', message);
    for (const each of this.ctx.getWebSockets()) each.send(message);
  }

  webSocketClose(socket: WebSocket, code: number, reason: string): void {
    if (code !== 1006) socket.close(code, `${reason} answered`);
  }
}

export const classes = { Room: { class: Room, storage: 'sql' } };
