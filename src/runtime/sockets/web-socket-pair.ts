/** Two connected sockets: code keeps one and returns the other in a response. */
import { PipeEnd } from './pipe.ts';
import { SocketEnd } from './socket-end.ts';
import type { Transport } from './transport.ts';
import { WebSocket } from './web-socket.ts';

/** An end that was garbage-collected unused will never answer: disconnects the other end. */
const dropped = new FinalizationRegistry<{ readonly end: SocketEnd; readonly transport: Transport }>(
  ({ end, transport }) => {
    if (end.isUnused) transport.cut();
  },
);

export class WebSocketPair {
  declare readonly 0: WebSocket;
  declare readonly 1: WebSocket;

  constructor() {
    const transports = PipeEnd.createPair();
    const [first, second] = transports.map((transport) => new SocketEnd(transport)) as [SocketEnd, SocketEnd];
    first.partner = second;
    second.partner = first;
    for (const [i, end] of [first, second].entries()) {
      end.claim();
      const socket = new WebSocket(end);
      dropped.register(socket, { end, transport: transports[i]! });
      Object.defineProperty(this, i, { value: socket, enumerable: true });
    }
  }

  *[Symbol.iterator](): IterableIterator<WebSocket> {
    yield this[0];
    yield this[1];
  }

  get [Symbol.toStringTag](): string {
    return 'WebSocketPair';
  }
}
