import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Node reads what came with a request, then the end of the connection, and tells of it in the turn after that. */
const turns = 3;

/**
 * Whether a client left right after its request, or with it: an answer would be work for nobody. One that still waits loses
 * no more than three turns of the event loop.
 */
export async function hasLeft({ socket }: IncomingMessage): Promise<boolean> {
  const isGone = (): boolean => socket.destroyed || socket.readableEnded;
  for (let turn = 0; turn < turns && !isGone(); turn++) await nextTurn();
  return isGone();
}
