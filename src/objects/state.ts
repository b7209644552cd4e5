/** `ctx`: what an object knows about itself and can ask of the runtime. */
import type { Actor } from './actor/actor.ts';
import type { DurableObjectId } from './ids.ts';
import { refuse } from './storage/arguments.ts';
import type { DurableObjectStorage } from './storage/storage.ts';

export interface StateParts {
  readonly actor: Actor;
  readonly id: DurableObjectId;
  readonly storage: DurableObjectStorage;
  /** Tells the alarm in progress, if any, not to be tried again. */
  readonly giveUpAlarm: () => void;
}

const face = 'DurableObjectState';

export class DurableObjectState {
  readonly id: DurableObjectId;
  readonly storage: DurableObjectStorage;
  readonly props: unknown = {};
  /** The platform's other entry points; there are none here. */
  readonly exports: object = {};
  readonly #actor: Actor;
  readonly #giveUpAlarm: () => void;

  /** @internal */
  constructor(parts: StateParts) {
    this.id = parts.id;
    this.storage = parts.storage;
    this.#actor = parts.actor;
    this.#giveUpAlarm = parts.giveUpAlarm;
  }

  /** Keeps the object awake until the promise settles. */
  waitUntil(promise: unknown): void {
    this.#actor.waitUntil(promise);
  }

  /** Runs the callback with every other event kept out. If it throws, the object is reset. */
  blockConcurrencyWhile<T>(callback: () => T | Promise<T>): Promise<T> {
    if (typeof callback !== 'function') {
      return Promise.reject(refuse({ method: 'blockConcurrencyWhile', face }, 1, 'function'));
    }
    return this.#actor.section(callback, 'reset');
  }

  /** Resets the object at once. What was not yet committed is lost, and every caller gets an error. */
  abort(reason?: unknown, options?: { readonly retryAlarm?: boolean }): never {
    if (options?.retryAlarm === false) this.#giveUpAlarm();
    return this.#actor.abort(reason);
  }
}
