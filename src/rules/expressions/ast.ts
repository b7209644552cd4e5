/**
 * The tree of a checked expression: names are resolved, types match, literals are decoded. It does not depend on the
 * spelling of the source, except for the spans (and the kind of string that a user chose, which the printer keeps). So
 * it can be run, printed, explained and written as JSON without the text.
 *
 * How to read it at run time:
 * - An {@link Expression} is `Bool`, or `Array<Bool>` when it contains a `[*]` (or a Bool array) without an enclosing
 *   `any`/`all`.
 * - An {@link Operand} gives a value or nil (`undefined`). Its `path` is applied to its root, left to right; an absent
 *   key or index gives nil. With `[*]` in the path (`eachCount` > 0) it gives a flat list of elements of `type`
 *   instead, without the elements in which a later index finds nothing.
 * - A {@link Comparison} over nil is false, `ne` included unless the caller asks for the other reading; over a list it
 *   gives one Bool for each element.
 * - A call with `isMapped` runs once for each element of its first argument and gives the list of the results that are
 *   not nil; its `type` is already `Array<…>`.
 * - `and`/`or`/`xor` combine lists position by position and stop at the shortest; `not` maps.
 * - A {@link Truth} over nil is false, or the empty list if its type is `Array<Bool>`.
 * - `any`/`all` of the empty list are false and true. Over a plain {@link Operand} that is nil both are false: that is
 *   the difference between `all(x)` and `all((x))`.
 */
import type { Pattern } from '#regex';
import type { Field } from './field.ts';
import type { ContainerType, ScalarType, Type } from './types.ts';
import type { Ip } from '#addresses';
import type { Value } from './values.ts';
import type { Wildcard } from './wildcard.ts';

/** UTF-16 offsets in the source, end excluded: `source.slice(span.start, span.end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A whole match expression: `parse(source)`. */
export interface Filter {
  readonly kind: 'filter';
  readonly source: string;
  /** Of type `Bool`. */
  readonly root: Expression;
}

/** A whole value expression, as rewrites use: `parseValue(source)`. */
export interface ValueExpression {
  readonly kind: 'value';
  readonly source: string;
  /** An operand without `[*]` in its own path, or `any(…)`/`all(…)` as an expression. */
  readonly root: Operand | ArgumentExpression;
}

export type Expression = Combination | Not | Quantifier | Comparison | Truth;

/** `a and b and c`: two or more items, none of them a combination of the same kind unless it was in parentheses. */
export interface Combination {
  readonly kind: 'and' | 'or' | 'xor';
  readonly items: readonly Expression[];
  /** `Bool` or `Array<Bool>`, the same as that of every item. */
  readonly type: ScalarType | ContainerType;
  readonly span: Span;
}

export interface Not {
  readonly kind: 'not';
  readonly item: Expression;
  readonly type: ScalarType | ContainerType;
  readonly span: Span;
}

/** `any(…)`, `all(…)`. */
export interface Quantifier {
  readonly kind: 'any' | 'all';
  /** Of type `Array<Bool>`; an operand here has no `[*]` in its own path. */
  readonly item: Operand | Expression;
  readonly type: ScalarType;
  readonly span: Span;
}

/** An operand that stands alone: of type `Bool` or `Array<Bool>`. */
export interface Truth {
  readonly kind: 'truth';
  readonly operand: Operand;
  readonly type: ScalarType | ContainerType;
  readonly span: Span;
}

export interface Comparison {
  readonly kind: 'comparison';
  readonly operand: Operand;
  readonly predicate: Predicate;
  /** `Array<Bool>` if the operand has a `[*]`. */
  readonly type: ScalarType | ContainerType;
  readonly span: Span;
}

/** The condition that a comparison applies to the operand's value. */
export type Predicate =
  | { readonly operator: OrderOperator; readonly value: IntLiteral | IpLiteral | BytesLiteral }
  | { readonly operator: 'bitwise_and'; readonly value: IntLiteral }
  | { readonly operator: 'contains'; readonly value: BytesLiteral }
  | { readonly operator: 'matches'; readonly value: RegexLiteral }
  | { readonly operator: 'wildcard' | 'strict wildcard'; readonly value: WildcardLiteral }
  | { readonly operator: 'in'; readonly set: LiteralSet }
  | { readonly operator: 'in list'; readonly list: string; readonly listSpan: Span };

/** On `Ip`, addresses of different families are unequal and have no order: only `ne` is true for them. */
export type OrderOperator = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge';

/** All items of one type, in the order written; they may repeat and overlap. */
export type LiteralSet =
  | { readonly kind: 'Int'; readonly items: readonly IntRange[]; readonly span: Span }
  | { readonly kind: 'Ip'; readonly items: readonly IpRange[]; readonly span: Span }
  | { readonly kind: 'Bytes'; readonly items: readonly BytesLiteral[]; readonly span: Span };

/** Both ends included; the same twice for a single number. */
export interface IntRange {
  readonly first: IntLiteral;
  readonly last: IntLiteral;
}

/** Both ends included and of one family. */
export interface IpRange {
  readonly first: Ip;
  readonly last: Ip;
  /** Set for a network in prefix notation with more than one address. */
  readonly prefixLength: number | undefined;
  readonly span: Span;
}

export type Literal = IntLiteral | IpLiteral | BytesLiteral;

export interface IntLiteral {
  readonly kind: 'Int';
  /**
   * The nearest number: equal if it is a safe integer, otherwise still ordered correctly relative to every safe
   * integer.
   */
  readonly value: number;
  /** All 64 bits, signed. */
  readonly exact: bigint;
  readonly span: Span;
}

export interface IpLiteral {
  readonly kind: 'Ip';
  readonly value: Ip;
  readonly span: Span;
}

export interface BytesLiteral {
  readonly kind: 'Bytes';
  /** A binary string. */
  readonly value: string;
  readonly form: StringForm;
  readonly span: Span;
}

/** `"…"`, `r"…"` and `61:62:63`. */
export type StringForm = 'quoted' | 'raw' | 'bytes';

export interface RegexLiteral {
  readonly kind: 'Regex';
  /** The pattern that the regex engine receives: text, not a binary string. */
  readonly source: string;
  readonly pattern: Pattern;
  readonly form: 'quoted' | 'raw';
  readonly span: Span;
}

export interface WildcardLiteral {
  readonly kind: 'Wildcard';
  /** The pattern with its escapes, a binary string. */
  readonly source: string;
  readonly wildcard: Wildcard;
  readonly form: 'quoted' | 'raw';
  readonly span: Span;
}

export interface Operand {
  readonly kind: 'operand';
  readonly root: FieldRoot | Call;
  readonly path: readonly Index[];
  /** The number of `[*]` in `path`. */
  readonly eachCount: number;
  /** The type of the value at the end of the path: of one element if there are `[*]`. */
  readonly type: Type;
  readonly span: Span;
}

export interface FieldRoot {
  readonly kind: 'field';
  /** As written; `field.key` is the same for a deprecated name and its replacement. */
  readonly field: Field;
  readonly type: Type;
  readonly span: Span;
}

export interface Call {
  readonly kind: 'call';
  readonly function: FunctionDefinition;
  readonly args: readonly Argument[];
  /** Their values follow the arguments when the function runs. */
  readonly alsoReads: readonly Field[];
  /** The first argument has a `[*]`. */
  readonly isMapped: boolean;
  /** The type of the whole call: `Array<…>` of the function's result if it is mapped. */
  readonly type: Type;
  readonly span: Span;
}

/** One argument of a call. */
export type Argument = Operand | Literal | ArgumentExpression;

/** A condition as an argument: `Bool` or `Array<Bool>`. */
export interface ArgumentExpression {
  readonly kind: 'expression';
  readonly expression: Expression;
  readonly type: ScalarType | ContainerType;
  readonly span: Span;
}

export type Index =
  | { readonly kind: 'index'; readonly index: number; readonly span: Span }
  /** A binary string. */
  | { readonly kind: 'key'; readonly key: string; readonly span: Span }
  | { readonly kind: 'each'; readonly span: Span };

// The interface of a function of the language. Each one is a file under `functions/`, named as the user types it.

/** Takes the values of the arguments in order, including literals, then those of `alsoReads`; nil is `undefined`. */
export type RunFunction = (...values: readonly never[]) => Value | undefined;

/** `Field` is an operand or a condition, that is, anything except a literal; `Any` also accepts a literal. */
type ArgumentKind = 'Field' | 'Literal' | 'Any';

/** A type, or any array, or any map. */
export type LooseType = Type | 'Array' | 'Map';

export interface Parameter {
  readonly name: string;
  readonly kind: ArgumentKind;
  readonly types: readonly LooseType[];
  readonly isOptional?: boolean;
  /** For the last parameter only: it may be repeated. */
  readonly isRepeated?: boolean;
  /** The only fields that are accepted. */
  readonly fields?: readonly string[];
  /** The problem with a string literal, or undefined. */
  checkBytes?(literal: string): string | undefined;
  /** The problem with a number literal, or undefined. */
  checkInt?(literal: number): string | undefined;
}

/** Where a function may be used: in match expressions, in rewritten values, or both. */
export type Use = 'filter' | 'rewrite';

export interface FunctionDefinition {
  readonly name: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly uses: readonly Use[];
  /** The result type of one call that is not mapped. */
  resultType(argumentTypes: readonly Type[]): Type;
  /** For a parameter whose accepted types depend on the arguments before it. */
  expectedTypes?(typesBefore: readonly Type[], index: number): readonly LooseType[];
  /** Keys of fields whose values follow the arguments at run time. */
  readonly alsoReads?: readonly string[];
  /** The index of the argument that is a regular expression: it counts towards the limit. */
  readonly regexArgument?: number;
  /** The maximum number of calls in one expression. */
  readonly callsMax?: number;
  /** Functions that may neither contain a call of this one nor occur inside it. */
  readonly notWith?: readonly string[];
  /**
   * Returns the function to run for one call in an expression. Literal arguments are processed once, here; all arguments are
   * passed again at run time.
   */
  prepare(args: readonly Argument[]): RunFunction;
}
