/** The interface of operators, which decide whether a rule matches a value: each file of this folder implements it. */
import type { RequiredLiterals } from '#regex';
import type { MacroScope, Template } from '../template.ts';

export interface Operator {
  /** Every value that matches contains one of these. `undefined` if unknown, and always with macros. */
  readonly literals?: RequiredLiterals | undefined;
  /** Whether the result depends on more than the value. Macros in the argument are detected separately. */
  readonly readsRequest?: boolean;
  test(value: string, scope: MacroScope): boolean;
  /** The texts that `capture` stores in TX.0 to TX.9 for a value that matches: the match first, then its groups. */
  capture(value: string, scope: MacroScope): readonly (string | undefined)[];
}

export interface OperatorContext {
  /** The bytes of a data file in the folder of the rule file. */
  readFile(name: string): string;
}

export interface OperatorDefinition {
  /** The name after `@`, in lower case. */
  readonly name: string;
  /** Throws a RangeError that describes the problem with the argument. */
  prepare(argument: Template, context: OperatorContext): Operator;
}

/** For operators that can capture only the value. */
export function captureWhole(value: string): readonly string[] {
  return [value];
}
