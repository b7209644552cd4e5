/**
 * The contract of a function of the language. Each is one file under `functions/`, named as the user types it.
 */
import type { Argument } from './ast.ts';
import type { Type } from './types.ts';
import type { Value } from './values.ts';

/** Values of the arguments in order, literals included, then those of `alsoReads`; nil is `undefined`. */
export type RunFunction = (...values: readonly never[]) => Value | undefined;

/** `Field` is an operand or a condition, anything that is not written out; `Any` is that or a literal. */
type ArgumentKind = 'Field' | 'Literal' | 'Any';

/** A type, or all arrays, or all maps. */
export type LooseType = Type | 'Array' | 'Map';

export interface Parameter {
  readonly name: string;
  readonly kind: ArgumentKind;
  readonly types: readonly LooseType[];
  readonly isOptional?: boolean;
  /** The last parameter only: more of its kind may follow. */
  readonly isRepeated?: boolean;
  /** The only fields that will do. */
  readonly fields?: readonly string[];
  /** What is wrong with a string that is written out, or nothing. */
  checkBytes?(literal: string): string | undefined;
  /** What is wrong with a number that is written out, or nothing. */
  checkInt?(literal: number): string | undefined;
}

/** Where a function may stand: in match expressions, in rewritten values, or both. */
export type Use = 'filter' | 'rewrite';

export interface FunctionDefinition {
  readonly name: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly uses: readonly Use[];
  /** Of one call that is not mapped. */
  resultType(argumentTypes: readonly Type[]): Type;
  /** Where the types that a parameter takes depend on the arguments before it. */
  expectedTypes?(typesBefore: readonly Type[], index: number): readonly LooseType[];
  /** Keys of fields whose values follow the arguments at run time. */
  readonly alsoReads?: readonly string[];
  /** Which argument is a regular expression: it counts towards the limit. */
  readonly regexArgument?: number;
  /** At most so often in one expression. */
  readonly callsMax?: number;
  /** Not inside, and not around, a call of these. */
  readonly notWith?: readonly string[];
  /**
   * The function to run for one call in an expression. Arguments that are literals are looked at once, here; all of
   * them are passed again at run time.
   */
  prepare(args: readonly Argument[]): RunFunction;
}
