/**
 * The faults of all parts of a call, so that one answer names every one of them. Code that gathers faults has to end with
 * `throwIfAny`: until then, what the parts wrote is still there.
 */
import { Fault } from './fault.ts';

/** Of an answer whose faults have different ones. */
const mixedStatus = 400;

export class FaultList {
  readonly #faults: Fault[] = [];

  /** What the work returns; undefined when it throws a fault, which is kept. */
  attempt<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.add(error);
      return undefined;
    }
  }

  add(fault: Fault): void {
    this.#faults.push(fault);
  }

  /** What all the parts returned, if none of them failed. */
  settle<T>(results: readonly (T | undefined)[]): readonly T[] {
    this.throwIfAny();
    return results as readonly T[];
  }

  throwIfAny(): void {
    const [first] = this.#faults;
    if (first === undefined) return;
    const isOneStatus = this.#faults.every(({ status }) => status === first.status);
    const entries = this.#faults.flatMap((fault) => fault.entries);
    throw new Fault(isOneStatus ? first.status : mixedStatus, entries);
  }
}
