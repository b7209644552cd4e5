import type { Server } from 'node:net';

/**
 * Without a free descriptor Node reports each connection that it cannot accept as an error of the listener, which ends the
 * process if it is not heard. The listener itself goes on. To be called when it listens: what fails before is for its owner.
 */
export function keepAccepting(server: Server): void {
  server.on('error', () => {});
}
