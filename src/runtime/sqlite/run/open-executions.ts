import type { Execution } from './execution.ts';

/** Stands for a run where holding the run itself would keep it from being collected. */
type Token = Execution['token'];

interface Held {
  readonly open: OpenExecutions;
  readonly token: Token;
  readonly finalize: () => void;
}

/**
 * The runs that stand on a row. A cursor that is dropped half-way through (a `break` is enough) never
 * says so: when it is collected as garbage its run leaves this set, and its statement lets go of what it
 * had locked.
 */
export class OpenExecutions implements Iterable<Execution> {
  readonly #references = new Map<Token, WeakRef<Execution>>();

  get size(): number {
    return this.#references.size;
  }

  add(execution: Execution): void {
    const { token, statement } = execution;
    this.#references.set(token, new WeakRef(execution));
    collected.register(execution, { open: this, token, finalize: statement.finalize }, token);
  }

  delete({ token }: Execution): void {
    this.#references.delete(token);
    collected.unregister(token);
  }

  /** Forgets the runs without a word: their statements are about to be finalized with the database. */
  clear(): void {
    this.#references.clear();
  }

  *[Symbol.iterator](): Iterator<Execution> {
    for (const reference of this.#references.values()) {
      const execution = reference.deref();
      if (execution !== undefined) yield execution;
    }
  }

  /** Whether the run was still among these. */
  forget(token: Token): boolean {
    return this.#references.delete(token);
  }
}

const collected = new FinalizationRegistry<Held>(({ open, token, finalize }) => {
  if (open.forget(token)) finalize();
});
