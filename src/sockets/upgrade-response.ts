/** Responses with a socket on their way from the code that made them to whoever asked. */
import { isUpgrade } from './network/handshake.ts';
import { SocketEnd } from './socket-end.ts';
import type { Transport } from './transport.ts';
import { WebSocket } from './web-socket.ts';

/** What a `Response` with a socket is made of. */
export interface UpgradeInit extends ResponseInit {
  readonly webSocket?: unknown;
}

/** The socket of a response, if it has one. */
export function socketOf(response: Response): WebSocket | undefined {
  const socket: unknown = Reflect.get(response, 'webSocket');
  return socket instanceof WebSocket ? socket : undefined;
}

/** Takes the end of a socket that answers a request. */
export function takeTransport(request: Request, socket: WebSocket): Transport {
  if (!isUpgrade(request.headers)) {
    throw new TypeError(
      'Worker tried to return a WebSocket in a response to a request which did not contain the header "Upgrade: websocket".',
    );
  }
  return WebSocket.endOf(socket)!.pass();
}

/** The same response for the other side: its socket belongs to whoever uses it there. */
export function passUpgrade(request: Request, response: Response): Response {
  const socket = socketOf(response);
  if (socket === undefined) return response;
  return createUpgradeResponse(takeTransport(request, socket), response);
}

export function createUpgradeResponse(
  transport: Transport,
  { headers, statusText }: { readonly headers: Headers; readonly statusText: string },
): Response {
  const webSocket = new WebSocket(new SocketEnd(transport));
  const init: UpgradeInit = { status: 101, statusText, headers, webSocket };
  return new Response(null, init);
}
