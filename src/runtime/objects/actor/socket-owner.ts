/** An object as the owner of sockets: what they send and receive passes through its gates. */
import type { SocketHost, SocketOwner } from '#sockets';
import { type Actor, currentContext, type EventContext } from './actor.ts';

export function socketOwnerIn(context: EventContext): SocketOwner {
  return (context.socketOwner ??= createOwner(context));
}

function createOwner({ actor, gate }: EventContext): SocketOwner {
  return {
    life: actor,
    deliver: (event) => actor.deliver(gate, event),
    say: (words) => actor.say(words),
    attach(onEnd) {
      const forget = actor.whenBroken(onEnd);
      actor.begin();
      return () => {
        forget();
        actor.end();
      };
    },
  };
}

/** The object whose code is running, as an owner of sockets. */
export function currentSocketOwner(): SocketOwner | undefined {
  const context = currentContext();
  return context === undefined ? undefined : socketOwnerIn(context);
}

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
