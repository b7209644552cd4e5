/**
 * Objects that are not woken for a while, because the last time they took their whole process down, with a query or a
 * loop that does not end. A caller gets an error at once, the object's alarm waits, and the other objects are served
 * meanwhile.
 *
 * The parent process that restarts this one decides which objects these are, and for how long; a runtime receives the
 * list. Operators can still reach them.
 */
import { realClock } from '#base';
import { flagged } from '../errors.ts';

export interface PausedObject {
  readonly className: string;
  /** As hexadecimal digits. */
  readonly id: string;
  /** Counted from the start of its runtime. */
  readonly forMs: number;
  /** What it did, as a clause that follows "because". */
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

  /** Called when the code is replaced: other code may behave better. */
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

/** The name of an object in the record of what a process is working on. */
export function describeObject(className: string, id: string, name: string | undefined): string {
  return name === undefined ? `${className} ${id}` : `${className} ${id} (${name})`;
}

/** Parses what `describeObject` wrote; undefined if it was cut short. */
export function parseObject(described: string): { className: string; id: string } | undefined {
  const found = /^(\S+) ([0-9a-f]{64})(?: \(|$)/.exec(described);
  return found === null ? undefined : { className: found[1]!, id: found[2]! };
}
