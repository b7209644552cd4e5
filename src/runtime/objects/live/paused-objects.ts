/**
 * Objects that are not woken for a while, because the last time they were, they took their process with them: a query or a
 * loop without an end. A caller is told so at once, its alarm waits, and its neighbours are served meanwhile.
 *
 * Which objects these are, and for how long, is decided by the parent that starts the process again; a runtime is given the
 * list. Operators still reach them.
 */
import { realClock } from '#base';
import { flagged } from '../errors.ts';

export interface PausedObject {
  readonly className: string;
  /** As hexadecimal digits. */
  readonly id: string;
  /** From the time at which its runtime is there. */
  readonly forMs: number;
  /** What it did, as a sentence goes on after "because". */
  readonly cause: string;
}

export class PausedObjects {
  readonly #paused: Map<string, { readonly untilMs: number; readonly cause: string }>;

  constructor(paused: readonly PausedObject[] = []) {
    const nowMs = realClock.now();
    this.#paused = new Map(
      paused.map(({ className, id, forMs, cause }) => [
        keyOf(className, id),
        { untilMs: nowMs + forMs, cause },
      ]),
    );
  }

  /** The error for callers of the object now; undefined if it is not paused. */
  refusalOf(className: string, id: string): Error | undefined {
    if (this.#paused.size === 0) return undefined;
    const key = keyOf(className, id);
    const found = this.#paused.get(key);
    if (found === undefined) return undefined;
    if (realClock.now() < found.untilMs) return pausedError(found.untilMs, found.cause);
    this.#paused.delete(key);
    return undefined;
  }

  /** Other code may do better. */
  clear(): void {
    this.#paused.clear();
  }
}

function keyOf(className: string, id: string): string {
  return `${className} ${id}`;
}

function pausedError(untilMs: number, cause: string): Error {
  const text = `Durable Object is paused until ${new Date(untilMs).toISOString()} to protect other objects, because ${cause}`;
  return flagged(new Error(text), { overloaded: true });
}

/** How an object is called in the notes of what a process works on. */
export function describeObject(className: string, id: string, name: string | undefined): string {
  return name === undefined ? `${className} ${id}` : `${className} ${id} (${name})`;
}

/** Reads what `describeObject` wrote; undefined if that was cut short. */
export function parseObject(described: string): { className: string; id: string } | undefined {
  const found = /^(\S+) ([0-9a-f]{64})(?: \(|$)/.exec(described);
  return found === null ? undefined : { className: found[1]!, id: found[2]! };
}
