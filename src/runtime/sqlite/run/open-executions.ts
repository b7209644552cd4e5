import type { Execution } from './execution.ts';

/** Represents a run where a reference to the run itself would keep it from being collected. */
type ExecutionToken = Execution['token'];

interface HeldExecution {
  readonly open: OpenExecutions;
  readonly token: ExecutionToken;
  readonly finalize: () => void;
}

/**
 * The runs that are on a row. A cursor that is dropped half-way (a `break` is enough) gives no notice: when it is
 * garbage-collected its run leaves this set, and its statement releases its locks.
 */
export class OpenExecutions implements Iterable<Execution> {
  readonly #references = new Map<ExecutionToken, WeakRef<Execution>>();

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

  /** Forgets the runs without any further action: their statements are about to be finalized with the database. */
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
  forget(token: ExecutionToken): boolean {
    return this.#references.delete(token);
  }
}

const collected = new FinalizationRegistry<HeldExecution>(({ open, token, finalize }) => {
  if (open.forget(token)) finalize();
});
