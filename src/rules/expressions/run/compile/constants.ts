/**
 * The values that generated code refers to by name: the code itself never contains a part of an expression or a scheme.
 */
export class Constants {
  readonly #values: unknown[] = [];
  readonly #names = new Map<unknown, string>();

  /** The name of a value in the code; equal values share one name. */
  name(value: unknown): string {
    let name = this.#names.get(value);
    if (name === undefined) {
      name = `k${this.#values.length}`;
      this.#values.push(value);
      this.#names.set(value, name);
    }
    return name;
  }

  /** Runs a function body in which every name is defined, and returns its result. */
  evaluate(body: string): unknown {
    const declarations = this.#values.map((_, index) => `const k${index} = constants[${index}];\n`).join('');
    // oxlint-disable-next-line typescript/no-implied-eval, no-new-func
    const build = new Function('constants', `'use strict';\n${declarations}${body}`);
    return (build as (constants: readonly unknown[]) => unknown)(this.#values);
  }
}
