/**
 * Whose socket it is: an object, whose gates what it sends and receives passes, or the world around the objects. The room of
 * the objects says which object is running, so that sockets need not know what an object is.
 */
import { setImmediate } from 'node:timers';

export interface SocketOwner {
  /** The life of the object; undefined outside of objects. */
  readonly life: object | undefined;
  /** Lets an event in that is not awaited. Events enter in order. */
  deliver(event: () => void): void;
  /** Lets words out when everything before them may be known. Words leave in order. */
  say(words: () => void): void;
  /** Keeps the owner awake until the result is called; if its life ends before that, calls `onEnd`. */
  attach(onEnd: () => void): () => void;
}

const outside: SocketOwner = {
  life: undefined,
  deliver: (event) => void setImmediate(event),
  say: (words) => words(),
  attach: () => () => {},
};

let find: () => SocketOwner | undefined = () => undefined;

/** Says how to find the object whose code is running. */
export function useSocketOwners(finder: () => SocketOwner | undefined): void {
  find = finder;
}

export function currentOwner(): SocketOwner {
  return find() ?? outside;
}
