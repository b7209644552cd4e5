/**
 * Patterns of several dialects that can never hang.
 *
 * Each dialect has its own parser (`rust`: the `regex` crate with Unicode off, as in the rules language; `pcre`: the
 * subset that the OWASP rules use). The result is one small tree, which runs in V8's own engine if a bound computed
 * from the tree shows that this is cheap for a value of this length, and otherwise in a linear engine over bytes. No
 * part of the source ever reaches `new RegExp` unparsed.
 *
 * Values are binary strings: one character per byte. A `rust` source is text (characters beyond ASCII mean their UTF-8
 * bytes); a `pcre` source is a binary string itself, like the rule files it is read from.
 *
 * ```ts
 * const parsed = parsePattern(String.raw`(?i)^/api/v(\d+)/`, 'rust');
 * if (!parsed.ok) throw new Error(parsed.error.message);       // text, carets and reason; also start and end
 * parsed.pattern.test('/API/v2/users');                         // true
 * parsed.pattern.match('/API/v2/users')?.groups;                // ['/API/v2/', '2']
 * parsed.pattern.requiredLiterals;                              // { literals: ['/api/v'], ignoreCase: true }
 *
 * const set = new LiteralSet(['union', 'select'], { ignoreCase: true });
 * set.scan('1 UNION SELECT 2', (literal, end) => console.log(literal, end)); // 0 7, then 1 14
 * ```
 */
export { automatonPool } from './regex/engines/automaton-pool.ts';
export { LiteralSet } from './regex/literal-set.ts';
export { parsePattern } from './regex/parse-pattern.ts';
export type {
  Dialect,
  Match,
  ParseOptions,
  ParseResult,
  Pattern,
  PatternError,
  RequiredLiterals,
} from './regex/types.ts';
