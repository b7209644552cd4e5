/**
 * The problems of a body, where each kind of mistake has a code: values with a code, a text and the place in the input.
 * Up to {@link problemsMax} are collected, so that a client can fix several at a time.
 */
import { problemsMax } from './limits.ts';
import type { Problem } from './shape.ts';

export interface CodedProblem extends Problem {
  readonly code: number;
}

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly CodedProblem[] };

export class CodedProblems<Name extends string> {
  readonly #codes: Readonly<Record<Name, { readonly code: number }>>;
  readonly #found: CodedProblem[] = [];

  constructor(codes: Readonly<Record<Name, { readonly code: number }>>) {
    this.#codes = codes;
  }

  get count(): number {
    return this.#found.length;
  }

  /** Further checks are useless: their results are not reported. */
  get isFull(): boolean {
    return this.#found.length >= problemsMax;
  }

  add(name: Name, message: string, pointer: string): void {
    if (!this.isFull) this.#found.push({ code: this.#codes[name].code, message, pointer });
  }

  /** The value if there are no problems. It is created only then, so it may rely on every check. */
  conclude<T>(make: () => T): Checked<T> {
    return this.#found.length === 0 ? { ok: true, value: make() } : { ok: false, problems: this.#found };
  }
}
