import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Node reads the data that came with a request, then the end of the connection, and reports it a turn later. */
const turns = 3;

/**
 * Whether a client disconnected right after its request, or with it: an answer would be wasted work. A client that
 * still waits loses at most three turns of the event loop.
 */
export async function hasLeft({ socket }: IncomingMessage): Promise<boolean> {
  const isGone = (): boolean => socket.destroyed || socket.readableEnded;
  for (let turn = 0; turn < turns && !isGone(); turn++) await nextTurn();
  return isGone();
}
