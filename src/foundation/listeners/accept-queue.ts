import type { Server } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Connections that wait to be accepted; the kernel may keep fewer. Node accepts one in each turn of its event loop, and
 * the kernel drops connections that exceed its queue: such a client tries again after 1, 3, 7 and 15 seconds.
 */
export const acceptQueueLength = 4_096;

/** Bounds how long a flood of clients can keep a listener open. */
const turnsMax = 2 * acceptQueueLength;

/**
 * Resolves when the listeners have accepted every waiting connection, and received data on open connections has been
 * read. Clients of a waiting connection may have sent their requests already, and closing the listener would reset
 * them. Call this right before closing.
 */
export async function emptyAcceptQueues(servers: readonly Server[]): Promise<void> {
  let accepted = 0;
  const count = (): void => {
    accepted++;
  };
  for (const server of servers) server.on('connection', count);
  // From one check phase of the event loop to the next: in between, Node handles everything that the kernel has ready.
  await nextTurn();
  for (let turn = 0, before = -1; before !== accepted && turn < turnsMax; turn++) {
    before = accepted;
    await nextTurn();
  }
  for (const server of servers) server.off('connection', count);
}
