import type { Server } from 'node:net';

/**
 * Without a free descriptor Node reports each connection that it cannot accept as an error of the listener, which ends
 * the process if it is unhandled. The listener itself continues. Call this once it listens: its owner handles earlier
 * errors.
 */
export function keepAccepting(server: Server): void {
  server.on('error', () => {});
}
