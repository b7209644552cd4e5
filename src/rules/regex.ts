/**
 * Patterns of several dialects that can never hang.
 *
 * A pattern is parsed by a front of its own (`rust`: the `regex` crate with Unicode off, as the rules language
 * has it; `pcre`: the subset the OWASP rules use), becomes one small tree, and runs either in V8's own engine,
 * as long as a bound computed from the tree says that this is cheap for a value of this length, or in a linear
 * engine over bytes. Nothing of the source ever reaches `new RegExp` unread.
 *
 * Values are binary strings: one character per byte. A `rust` source is text (what it says beyond ASCII means
 * its UTF-8 bytes); a `pcre` source is a binary string itself, like the rule files it is read from.
 *
 * ```ts
 * const parsed = parsePattern(String.raw`(?i)^/api/v(\d+)/`, 'rust');
 * if (!parsed.ok) throw new Error(parsed.error.message);       // text, carets and reason; start and end too
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
