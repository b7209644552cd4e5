/** What a handler that a test has called leaves running: the test waits for it, and hears of its failures. */
import { BackgroundWork } from '#workers';
import { waitUntilMsMax } from './limits.ts';

export class ContextWork extends BackgroundWork {
  readonly #errors: unknown[];

  constructor() {
    const errors: unknown[] = [];
    super((error) => errors.push(error));
    this.#errors = errors;
  }

  /** Resolves when all has ended; what never ends is given up, as on Cloudflare. */
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
