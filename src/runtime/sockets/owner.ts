/**
 * The owner of a socket: an object, through whose gates everything passes that the socket sends and receives, or the
 * code outside of objects. The room `objects` reports which object is running, so that sockets do not depend on it.
 */
import { setImmediate } from 'node:timers';

export interface SocketOwner {
  /** The life of the object; undefined outside of objects. */
  readonly life: object | undefined;
  /** Admits an event that is not awaited. Events enter in order. */
  deliver(event: () => void): void;
  /** Sends output once everything before it may be visible outside. Output leaves in order. */
  say(words: () => void): void;
  /** Keeps the owner awake until the returned function is called; if its life ends before that, calls `onEnd`. */
  attach(onEnd: () => void): () => void;
}

const outside: SocketOwner = {
  life: undefined,
  deliver: (event) => void setImmediate(event),
  say: (words) => words(),
  attach: () => () => {},
};

let find: () => SocketOwner | undefined = () => undefined;

/** Sets the function that finds the object whose code is running. */
export function useSocketOwners(finder: () => SocketOwner | undefined): void {
  find = finder;
}

export function currentOwner(): SocketOwner {
  return find() ?? outside;
}
