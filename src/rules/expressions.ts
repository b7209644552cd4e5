/**
 * The expression language of firewall rules: parse, check, explain, run.
 *
 * ```ts
 * const parsed = parse('http.host eq "example.com" and not ip.src in {10.0.0.0/8}');
 * if (!parsed.ok) throw new Error(printDiagnostic(source, parsed.error)); // one place, carets below it
 * const isMatch = compile(parsed.tree);                                    // JavaScript generated for this expression
 * isMatch(requestFrom({ url: 'https://example.com/', ip: '192.0.2.1' }));  // true; `requestFrom` is in the room `request`
 * ```
 *
 * Strings are bytes: at run time a string value is a *binary string*, one character per byte. An invalid expression
 * produces a diagnostic, never an exception. The time is bounded by the length of the expression, at most 4,096
 * characters. Running an expression never hangs either: its patterns are those of the room `regex`.
 *
 * `parse` reads match expressions, `parseValue` the values of rewrites. A tree is run with `compile`, `compileValue`
 * or, many at once, `compileList`; `interpret` gives the same result, slowly. `explain` gives the reasons. `format`
 * writes a tree in its canonical spelling, `toJson` in the JSON form of wirefilter. Names come from a `Scheme`:
 * `scheme` has every field and function.
 */
export type * from './expressions/ast.ts';
export {
  complete,
  type CompleteOptions,
  type Completion,
  type Completions,
} from './expressions/assist/complete.ts';
export { findConstant } from './expressions/assist/constancy.ts';
export { describeField, quantifiers, formatSignature } from './expressions/assist/describe.ts';
export { hover, type Hover } from './expressions/assist/hover.ts';
export { checkPhase, phases } from './expressions/assist/phases.ts';
export { type Uses, usesOf } from './expressions/assist/uses.ts';
export { type Diagnostic, type DiagnosticCode, printDiagnostic } from './expressions/diagnostic.ts';
export type { Field, FilledBy, Stage } from './expressions/field.ts';
export { scheme } from './expressions/full-scheme.ts';
export { countReadings, ExpressionsReadAhead, readExpression } from './expressions/expressions-read-ahead.ts';
export { expressionCharactersMax } from './expressions/limits.ts';
export {
  parse,
  parseNames,
  type ParseOptions,
  type ParseResult,
  parseValue,
} from './expressions/parse/parse.ts';
export { type PatternTables, readPatternTables } from './expressions/prepare-patterns.ts';
export {
  type CostlyPattern,
  type GivenExpression,
  preparePatterns,
  type PreparedPatterns,
  stepsPerCharacter,
} from './expressions/prepare-patterns.ts';
export { defineField, Scheme, type SchemeParts } from './expressions/scheme.ts';
export {
  arrayOf,
  boolType,
  bytesType,
  intType,
  ipType,
  mapOf,
  type Type,
  formatType,
} from './expressions/types.ts';
export { type Value, getZero } from './expressions/values.ts';
export { format, type FormatOptions } from './expressions/write/format.ts';
export { quoteBytes } from './expressions/write/literals.ts';
export { type Json, toJson } from './expressions/write/json.ts';
export {
  compile,
  compileList,
  compileListInPieces,
  compileValue,
} from './expressions/run/compile/compile.ts';
export { CompiledList } from './expressions/run/compile/compiled-list.ts';
export {
  explain,
  type Explanation,
  isMatch,
  type Match,
  type Outcome,
  type Seen,
  type TextMatch,
} from './expressions/run/explain.ts';
export { type ListSummary, loadList, summarizeList } from './expressions/run/list-summary.ts';
export { interpret, interpretValue } from './expressions/run/interpret.ts';
export type { RunOptions, ValueList } from './expressions/run/options.ts';
export {
  type FieldSource,
  type PartName,
  createRequest,
  RequestView,
  type ReferredExtent,
  type ReferredRequest,
  type RewrittenUri,
  getSlot,
} from './expressions/run/request-view.ts';
