/**
 * Listening sockets: within the limit of descriptors, on private paths in the data directory, without losing clients that
 * wait to be accepted.
 *
 * ```ts
 * await listen(server, { host: '127.0.0.1', port: 0 });
 * ```
 */
export { emptyAcceptQueues } from './listeners/accept-queue.ts';
export { beginListening } from './listeners/begin-listening.ts';
export { type Clients, DescriptorBudget } from './listeners/descriptors.ts';
export { endpointOf, listen, portOf } from './listeners/listening.ts';
export { type HttpAnswer, PrivateListener } from './listeners/private-listener.ts';
export {
  connectPrivately,
  listenPrivately,
  type PrivateSocketPlace,
  socketNames,
} from './listeners/private-socket.ts';
