/**
 * The expression language of firewall rules: parse, check, explain, run.
 *
 * ```ts
 * const parsed = parse('http.host eq "example.com" and not ip.src in {10.0.0.0/8}');
 * if (!parsed.ok) throw new Error(printDiagnostic(source, parsed.error)); // one place, carets below it
 * const isMatch = compile(parsed.tree);                                    // JavaScript made for this expression
 * isMatch(requestFrom({ url: 'https://example.com/', ip: '192.0.2.1' }));  // true
 * ```
 *
 * Strings are bytes: at run time a string value is a *binary string*, one character per byte. What a user wrote can be
 * wrong in any way and still only gives a diagnostic; nothing here throws for it, and everything takes time bounded by the
 * length of the expression, of which there are at most 4,096 characters. Running an expression never hangs either: its
 * patterns are those of the room `regex`.
 *
 * `parse` reads match expressions, `parseValue` the values of rewrites. A tree is run with `compile`, `compileValue` or,
 * many at once, `compileList`; `interpret` says the same, slowly. `explain` says why. `format` writes a tree in its
 * canonical spelling, `toJson` in the original's. Names come from a `Scheme`: `scheme` has every field and function.
 */
export type * from './rules/ast.ts';
export {
  complete,
  type CompleteOptions,
  type Completion,
  type Completions,
} from './rules/assist/complete.ts';
export { constantOf } from './rules/assist/constancy.ts';
export { describeField, quantifiers, signatureOf } from './rules/assist/describe.ts';
export { type Entitlement, entitlementsOf, type Plan, plans } from './rules/assist/entitlements.ts';
export { hover, type Hover } from './rules/assist/hover.ts';
export { checkPhase, phases } from './rules/assist/phases.ts';
export { type Uses, usesOf } from './rules/assist/uses.ts';
export { type Diagnostic, type DiagnosticCode, printDiagnostic } from './rules/diagnostic.ts';
export type { Field, FilledBy, Stage } from './rules/field.ts';
export { scheme } from './rules/full-scheme.ts';
export type { FunctionDefinition, Parameter, RunFunction } from './rules/function-definition.ts';
export { type Network, parseNetwork } from './rules/ip-network.ts';
export { parse, type ParseOptions, type ParseResult, parseValue } from './rules/parse/parse.ts';
export { defineField, Scheme, type SchemeParts } from './rules/scheme.ts';
export { arrayOf, boolType, bytesType, intType, ipType, mapOf, type Type, typeName } from './rules/types.ts';
export { bytesOf, formatIp, Ip, parseIp, textOf, type Value, zeroOf } from './rules/values.ts';
export { format, type FormatOptions } from './rules/write/format.ts';
export { type Json, toJson } from './rules/write/json.ts';
export { compile, compileList, compileValue } from './rules/run/compile/compile.ts';
export { CompiledList } from './rules/run/compile/compiled-list.ts';
export { IpSet } from './rules/run/compile/ip-set.ts';
export {
  explain,
  type Explanation,
  isMatch,
  type Match,
  type Outcome,
  type Seen,
} from './rules/run/explain.ts';
export { interpret, interpretValue } from './rules/run/interpret.ts';
export type { RunOptions, ValueList } from './rules/run/options.ts';
export {
  type HeadersDescription,
  type RequestDescription,
  requestFrom,
} from './rules/run/request/described-request.ts';
export { clientAddress } from './rules/run/request/client-address.ts';
export { bodyBytesMax, type RequestFacts, RequestFields } from './rules/run/request/request-fields.ts';
export { splitUri } from './rules/run/request/uri.ts';
export { type FieldSource, requestOf, RequestView } from './rules/run/request/view.ts';
