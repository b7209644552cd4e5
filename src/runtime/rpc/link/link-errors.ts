import { toCallerError } from '../caller-error.ts';
import type { Address } from '../reference.ts';
import type { RemoteTarget } from './remote-capability.ts';

/**
 * Returns the error of callers of this entry point of the other process if the link breaks before there is a result;
 * undefined for the default.
 */
export type ExplainLoss = (address: Address) => Error | undefined;

/** The callers' error for an object whose process has ended: the text and the flags that Cloudflare documents. */
export function createLostError(): Error {
  return toCallerError(new Error('Network connection lost.'), { retryable: true, durableObjectReset: true });
}

export function createOverloadedError(): Error {
  return toCallerError(new Error('Durable Object is overloaded. Too much data queued.'), {
    overloaded: true,
  });
}

/** The errors of calls whose results were lost with the link. */
export class Losses {
  readonly #explain: ExplainLoss | undefined;
  /** The addresses of the other process's entry points that are called from here. */
  readonly #addresses = new WeakMap<RemoteTarget, Address>();

  constructor(explain: ExplainLoss | undefined) {
    this.#explain = explain;
  }

  note(target: RemoteTarget, address: Address): void {
    this.#addresses.set(target, address);
  }

  errorFor(target: RemoteTarget): Error {
    const address = this.#addresses.get(target);
    return (address === undefined ? undefined : this.#explain?.(address)) ?? createLostError();
  }
}
