import type { Server } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** More than the longest queue that a kernel keeps by default; a flood of clients must not keep a listener open. */
const turnsMax = 8_192;

/**
 * Resolves when the listeners have taken every connection that waits for them, and what had come on those they have is read.
 * Clients of a waiting connection may have sent their requests already: closing the listener would reset them. To be called
 * right before that.
 */
export async function emptyAcceptQueues(servers: readonly Server[]): Promise<void> {
  let accepted = 0;
  const count = (): void => {
    accepted++;
  };
  for (const server of servers) server.on('connection', count);
  // From one check phase of the event loop to the next: everything the kernel has ready is looked at in between.
  await nextTurn();
  for (let turn = 0, before = -1; before !== accepted && turn < turnsMax; turn++) {
    before = accepted;
    await nextTurn();
  }
  for (const server of servers) server.off('connection', count);
}
