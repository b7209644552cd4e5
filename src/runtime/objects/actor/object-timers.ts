/**
 * The timers of one life of an object. Each is a `Timeout` as in workerd with Node compatibility, which npm packages
 * expect, and converts to its number, which `clearTimeout` accepts as well. They are cancelled when the life ends,
 * however it ends.
 *
 * A timer keeps its object awake whether or not `unref()` was called: the process does not belong to the object.
 */
import type { Timer } from '#base';

/** Sets a timer of the actor. */
type SetTimer = (at: number, callback: () => void) => Timer;

interface TimeoutParts {
  readonly number: number;
  /** Sets the timer, replacing the one that is set. */
  readonly arm: () => void;
  readonly cancel: () => void;
}

class Timeout {
  readonly #parts: TimeoutParts;
  #hasRef = true;

  constructor(parts: TimeoutParts) {
    this.#parts = parts;
  }

  refresh(): this {
    this.#parts.arm();
    return this;
  }

  unref(): this {
    this.#hasRef = false;
    return this;
  }

  ref(): this {
    this.#hasRef = true;
    return this;
  }

  hasRef(): boolean {
    return this.#hasRef;
  }

  close(): this {
    this.#parts.cancel();
    return this;
  }

  [Symbol.dispose](): void {
    this.#parts.cancel();
  }

  [Symbol.toPrimitive](): number {
    return this.#parts.number;
  }
}

let lastNumber = 0;

export class ObjectTimers {
  readonly #setTimer: SetTimer;
  readonly #now: () => number;
  /** The timers that will fire, by number. */
  readonly #armed = new Map<number, Timer>();

  constructor(setTimer: SetTimer, now: () => number) {
    this.#setTimer = setTimer;
    this.#now = now;
  }

  set(callback: () => void, delayMs: number, { repeats }: { readonly repeats: boolean }): Timeout {
    const number = ++lastNumber;
    const fire = (): void => {
      this.#armed.delete(number);
      if (repeats) arm();
      callback();
    };
    const arm = (): void => {
      this.#armed.get(number)?.cancel();
      this.#armed.set(number, this.#setTimer(this.#now() + delayMs, fire));
    };
    arm();
    return new Timeout({ number, arm, cancel: () => void this.clear(number) });
  }

  /** Returns whether the timer existed. */
  clear(handle: unknown): boolean {
    const number = handle instanceof Timeout ? Number(handle) : (handle as number);
    const timer = this.#armed.get(number);
    timer?.cancel();
    return this.#armed.delete(number);
  }
}
