/** The public interface of a parsed pattern. */

/** `rust` is the dialect of the rules language, `pcre` that of the OWASP rules. */
export type Dialect = 'rust' | 'pcre';

/** Flags the pattern starts with, as if written `(?i)` in front of it. Both dialects default to none of them. */
export interface ParseOptions {
  readonly ignoreCase?: boolean;
  readonly dotAll?: boolean;
  readonly multiLine?: boolean;
}

export type ParseResult =
  | { readonly ok: true; readonly pattern: Pattern }
  | { readonly ok: false; readonly error: PatternError };

/** Why a source is not a valid pattern. Positions count UTF-16 units of the source, `end` excluded. */
export interface PatternError {
  /** The text for clients of Cloudflare: the source, carets below it, the reason. */
  readonly message: string;
  /** The reason alone. */
  readonly reason: string;
  readonly start: number;
  readonly end: number;
}

export interface Match {
  readonly start: number;
  readonly end: number;
  /** The text of each group, the whole match first; `undefined` for a group that did not participate. */
  readonly groups: readonly (string | undefined)[];
}

/** At least one of the literals occurs in every value that matches. With `ignoreCase` they are lower-case. */
export interface RequiredLiterals {
  readonly literals: readonly string[];
  readonly ignoreCase: boolean;
}

/**
 * A pattern ready to run. The time of every method is bounded by the length of the value, whatever the value, and its
 * work is charged to the enclosing `StepBudget`, if any: then it may throw `OutOfSteps`.
 */
export interface Pattern {
  readonly source: string;
  readonly dialect: Dialect;
  /** Whether the pattern matches anywhere in the value. */
  test(value: string): boolean;
  /** The range of the leftmost match, by the dialect's preference among those that start there. */
  find(value: string): { readonly start: number; readonly end: number } | undefined;
  /** Like `find`, with the text of the groups. */
  match(value: string): Match | undefined;
  /** The number of capturing groups, without the whole match. */
  readonly groupCount: number;
  readonly groupNames: ReadonlyMap<string, number>;
  /** For prefilters; `undefined` if no useful literal is required. */
  readonly requiredLiterals: RequiredLiterals | undefined;
  /** The same pattern for V8, if it ever runs there: its `test` is for values of up to `nativeLengthMax` bytes. */
  readonly native: RegExp | undefined;
  /**
   * How many values were given up, without a match, because back-references or atomic groups took too many steps. Other
   * patterns give up none.
   */
  readonly exhausted: number;
  /** Up to this many bytes V8's worst case is cheap; -1 if never, `Infinity` if always. */
  readonly nativeLengthMax: number;
  /** The maximum steps of V8 per byte of such a value: users of `native` charge them with `suspectSteps`. */
  readonly nativeStepsPerByte: number;
  /** The number of instructions of its program: time and memory for building it grow with them. */
  readonly size: number;
  /** The cost of compiling it for all engines, whether or not it was compiled before. */
  readonly compileSteps: number;
  /** Creates the engines that values will need now, as far as the process has room for them. */
  prepare(): void;
}
