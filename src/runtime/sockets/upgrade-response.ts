/** Responses with a socket on their way from the code that made them to the caller. */
import { isUpgrade } from './network/handshake.ts';
import { PipeEnd } from './pipe.ts';
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
  return releaseTransport(socket);
}

/**
 * What carries the messages of an end that is handed over. One that was accepted or returned before is gone for its
 * receiver.
 */
export function releaseTransport(socket: WebSocket): Transport {
  return WebSocket.endOf(socket)!.pass() ?? createLostTransport();
}

/** The same response for the other side: its socket belongs to its user there. */
export function passUpgrade(request: Request, response: Response): Response {
  const socket = socketOf(response);
  if (socket === undefined) return response;
  return createUpgradeResponse(takeTransport(request, socket), response);
}

function createLostTransport(): Transport {
  const [here, there] = PipeEnd.createPair();
  there.cut();
  return here;
}

export function createUpgradeResponse(
  transport: Transport,
  { headers }: { readonly headers: Headers },
): Response {
  const webSocket = new WebSocket(new SocketEnd(transport));
  const init: UpgradeInit = { status: 101, statusText: 'Switching Protocols', headers, webSocket };
  return new Response(null, init);
}
