/**
 * Remembers which errors were reported. One error can arrive in several ways: as the rejection of a call, in
 * `waitUntil`, as the cause of another one, and as the copy that a caller of an object gets.
 */
import { originOf } from '#rpc';

export class ReportedErrors {
  readonly #seen = new WeakSet<object>();

  /** Whether neither this error nor its original was reported before. It counts as reported from now on. */
  isNew(error: unknown): boolean {
    const chain = listOrigins(error);
    const isNew = !chain.some((each) => this.#seen.has(each));
    for (const each of chain) this.#seen.add(each);
    return isNew;
  }
}

function listOrigins(error: unknown): readonly object[] {
  const chain: object[] = [];
  for (let each = error; typeof each === 'object' && each !== null; each = (each as Error).cause) {
    const origin = originOf(each);
    if (chain.includes(origin)) break;
    chain.push(origin);
  }
  return chain;
}
