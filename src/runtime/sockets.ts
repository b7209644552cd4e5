/**
 * WebSockets with the interface of Workers: pairs, sockets that a Worker or an object accepts, sockets of objects that
 * may be put away meanwhile, and their connections on the network.
 *
 * ```ts
 * const { 0: client, 1: server } = new WebSocketPair();
 * server.accept();
 * server.addEventListener('message', ({ data }) => server.send(`echo ${data}`));
 * return new Response(null, { status: 101, webSocket: client });
 * ```
 *
 * An end is a `SocketEnd`; a `Transport` carries its messages: a pipe inside this process, or a `NetworkTransport`.
 * Returning one end of a pair in a response passes its transport on, from an object to a Worker and from there to the
 * network, without a copy of the messages on the way.
 */
export { acceptUpgrade, checkUpgrade } from './sockets/network/server.ts';
export { fetchUpgrade } from './sockets/network/client.ts';
export { isUpgrade } from './sockets/network/handshake.ts';
export { countConnections, retireConnections } from './sockets/network/network-transport.ts';
export { ObjectSockets, type SocketHost } from './sockets/object-sockets.ts';
export { currentOwner, type SocketOwner, useSocketOwners } from './sockets/owner.ts';
export { WebSocketRequestResponsePair } from './sockets/request-response-pair.ts';
export { newestSocketSettings, type SocketSettings, useSocketSettings } from './sockets/settings.ts';
export {
  createUpgradeResponse,
  passUpgrade,
  releaseTransport,
  socketOf,
  takeTransport,
  type UpgradeInit,
} from './sockets/upgrade-response.ts';
export type { Data as SocketData, Receiver, Transport } from './sockets/transport.ts';
export { WebSocket } from './sockets/web-socket.ts';
export { WebSocketPair } from './sockets/web-socket-pair.ts';
