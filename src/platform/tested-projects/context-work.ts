/** The background work of a handler that a test has called: the test waits for it, and gets its failures. */
import { BackgroundWork } from '#workers';
import { waitUntilMsMax } from './limits.ts';

export class ContextWork extends BackgroundWork {
  readonly #errors: unknown[];

  constructor() {
    const errors: unknown[] = [];
    super((error) => errors.push(error));
    this.#errors = errors;
  }

  /** Resolves when all work has ended; work that never ends is abandoned, as on Cloudflare. */
  async end(): Promise<void> {
    const late = Promise.withResolvers<'late'>();
    const timer = setTimeout(() => late.resolve('late'), waitUntilMsMax);
    const outcome = await Promise.race([this.settled(), late.promise]).finally(() => clearTimeout(timer));
    if (outcome === 'late')
      console.warn(
        `what was given to waitUntil() has not ended within ${waitUntilMsMax / 1000} s and is given up: a promise of it may never settle`,
      );
    const errors = this.#errors.splice(0);
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors);
  }
}
