import type { Execution } from './execution.ts';

/**
 * The runs that stand on a row. A cursor that is dropped half-way through (a `break` is enough) never
 * says so: it leaves this set when it is collected as garbage.
 */
export class OpenExecutions implements Iterable<Execution> {
  readonly #references = new Map<Execution['token'], WeakRef<Execution>>();

  get size(): number {
    return this.#references.size;
  }

  add(execution: Execution): void {
    this.#references.set(execution.token, new WeakRef(execution));
    collected.register(execution, { open: this, token: execution.token }, execution.token);
  }

  delete(execution: Execution): void {
    this.forget(execution.token);
    collected.unregister(execution.token);
  }

  forget(token: Execution['token']): void {
    this.#references.delete(token);
  }

  *[Symbol.iterator](): Iterator<Execution> {
    for (const reference of [...this.#references.values()]) {
      const execution = reference.deref();
      if (execution !== undefined) yield execution;
    }
  }
}

interface Held {
  readonly open: OpenExecutions;
  readonly token: Execution['token'];
}

const collected = new FinalizationRegistry<Held>(({ open, token }) => open.forget(token));
