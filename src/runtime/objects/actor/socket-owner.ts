/** An object as the owner of sockets: what they send and receive passes through its gates. */
import type { SocketOwner } from '#sockets';
import { currentContext, type EventContext } from './actor.ts';

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
