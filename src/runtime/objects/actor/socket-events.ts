/** Events of hibernating sockets, as events of their object. */
import type { SocketHost } from '#sockets';
import { type Actor, currentContext } from './actor.ts';
import { socketOwnerIn } from './socket-owner.ts';

/** Admits an event. If it takes longer than the timeout it is dropped: answers it waits for are discarded. */
export function enterForSocket(
  actor: Actor,
  event: (host: SocketHost) => Promise<void>,
  timeoutOf: () => number | undefined,
): Promise<void> {
  return actor.enter(async () => {
    const context = currentContext()!;
    const handled = event({ owner: socketOwnerIn(context), instance: actor.instance });
    const timeoutMs = timeoutOf();
    if (timeoutMs === undefined) return await handled;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const { clock } = actor.parts;
    const timer = clock.setTimer(clock.now() + timeoutMs, () => {
      context.isDropped = true;
      resolve();
    });
    await Promise.race([handled, late]);
    timer.cancel();
  });
}
