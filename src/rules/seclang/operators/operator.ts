/** What a rule does with a value: the contract that each file of this folder fulfils. */
import type { RequiredLiterals } from '#regex';
import type { MacroScope, Template } from '../template.ts';

export interface Operator {
  /** One of these occurs in every value that matches. `undefined` if nothing is known, and always with macros. */
  readonly literals?: RequiredLiterals | undefined;
  /** Whether the answer depends on more than the value. An argument with macros is known by itself. */
  readonly readsRequest?: boolean;
  test(value: string, scope: MacroScope): boolean;
  /** What `capture` stores in TX.0 to TX.9 for a value that matches: the match first, then its groups. */
  capture(value: string, scope: MacroScope): readonly (string | undefined)[];
}

export interface OperatorContext {
  /** The bytes of a data file that stands beside the rule file. */
  readFile(name: string): string;
}

export interface OperatorDefinition {
  /** As written behind `@`, in lower case. */
  readonly name: string;
  /** Throws a RangeError that says what is wrong with the argument. */
  prepare(argument: Template, context: OperatorContext): Operator;
}

/** For operators that have nothing to capture but the value. */
export function captureWhole(value: string): readonly string[] {
  return [value];
}
