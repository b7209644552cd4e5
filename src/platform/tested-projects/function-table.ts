/** Functions of a configuration, by number: those of `serviceBindings` and `outboundService`. */
import type { Answer } from '#workers';
import type { FunctionNumber } from './worker-setup.ts';

export class FunctionTable {
  readonly #functions: Answer[] = [];

  get size(): number {
    return this.#functions.length;
  }

  add(answer: Answer): FunctionNumber {
    return this.#functions.push(answer) - 1;
  }

  get(number: FunctionNumber): Answer | undefined {
    return this.#functions[number];
  }
}
