/**
 * Collects the faults of all parts of a call, so that one answer names every one of them. Code that collects faults
 * must finish with `throwIfAny`: without it, what the parts wrote is not rolled back.
 */
import { Fault } from './fault.ts';

/** The status of an answer whose faults have different statuses. */
const mixedStatus = 400;

export class FaultList {
  readonly #faults: Fault[] = [];

  /** The return value of the work; undefined if it throws a fault, which is collected. */
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

  /** The results of all the parts, if none of them failed. */
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
