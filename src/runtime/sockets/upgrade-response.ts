/** Responses with a socket, passed from the code that created them to the caller. */
import { isUpgrade } from './network/handshake.ts';
import { PipeEnd } from './pipe.ts';
import { SocketEnd } from './socket-end.ts';
import type { Transport } from './transport.ts';
import { WebSocket } from './web-socket.ts';

/** The init of a `Response` with a socket. */
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
 * The transport of an end that is passed on. For its receiver, an end that was accepted or returned before counts as
 * disconnected.
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
