/** A WebSocket request: the handler answers it with a socket, or with an ordinary response. */
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { acceptUpgrade, checkUpgrade, socketOf, takeTransport, type WebSocket } from '#sockets';

/** Whether a request must be answered on its bare connection. */
export function wantsWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

/** Wraps the connection of a request for writing a response to it. */
export function responseOn(incoming: IncomingMessage, socket: Socket): ServerResponse {
  const outgoing = new ServerResponse(incoming);
  outgoing.shouldKeepAlive = false;
  outgoing.assignSocket(socket);
  outgoing.once('finish', () => socket.destroySoon());
  return outgoing;
}

export interface UpgradeExchange {
  readonly incoming: IncomingMessage;
  readonly socket: Socket;
  readonly head: Buffer;
  readonly outgoing: ServerResponse;
}

/** Hands over a connection to the socket of a response, if it has one. */
export function switchProtocols(
  { incoming, socket, head, outgoing }: UpgradeExchange,
  request: Request,
  response: Response,
): boolean {
  const webSocket = socketOf(response);
  if (webSocket === undefined) return false;
  const refusal = checkUpgrade(incoming);
  if (refusal !== undefined) {
    cutSocket(request, webSocket);
    const { status, message, headers } = refusal;
    outgoing.writeHead(status, { ...headers, 'content-type': 'text/plain;charset=UTF-8' }).end(message);
    return true;
  }
  const transport = takeTransport(request, webSocket);
  outgoing.detachSocket(socket);
  if (socket.destroyed) transport.cut();
  else acceptUpgrade({ incoming, socket, head, headers: response.headers, transport });
  return true;
}

/** The other end will never be used. */
function cutSocket(request: Request, webSocket: WebSocket): void {
  takeTransport(request, webSocket).cut();
}
