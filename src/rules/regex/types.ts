/** The contract of the room: what a parsed pattern can be asked. */

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

/** Why a source is no pattern. Positions count UTF-16 units of the source, `end` excluded. */
export interface PatternError {
  /** What clients of Cloudflare see: the source, carets below it, the reason. */
  readonly message: string;
  /** The reason alone. */
  readonly reason: string;
  readonly start: number;
  readonly end: number;
}

export interface Match {
  readonly start: number;
  readonly end: number;
  /** The text of each group, the whole match first; a group that took no part is `undefined`. */
  readonly groups: readonly (string | undefined)[];
}

/** At least one of the literals occurs in every value that matches. With `ignoreCase` they are lower-case. */
export interface RequiredLiterals {
  readonly literals: readonly string[];
  readonly ignoreCase: boolean;
}

/**
 * A pattern ready to run. Every method answers in time bounded by the length of the value, whatever the value, and charges
 * its work to the `StepBudget` that it runs within, if any: then it may throw `OutOfSteps`.
 */
export interface Pattern {
  readonly source: string;
  readonly dialect: Dialect;
  /** Whether the pattern matches anywhere in the value. */
  test(value: string): boolean;
  /** Where the leftmost match lies, by the dialect's preference among those that start there. */
  find(value: string): { readonly start: number; readonly end: number } | undefined;
  /** Like `find`, with the text of the groups. */
  match(value: string): Match | undefined;
  /** Groups that capture, the whole match not counted. */
  readonly groupCount: number;
  readonly groupNames: ReadonlyMap<string, number>;
  /** For prefilters; `undefined` when no useful literal must occur. */
  readonly requiredLiterals: RequiredLiterals | undefined;
  /** The same pattern for V8, if that may ever be given one: its `test` is for values of up to `nativeLengthMax` bytes. */
  readonly native: RegExp | undefined;
  /**
   * How many values were given up, as no match, because back-references or atomic groups took too many steps. Other
   * patterns give up none.
   */
  readonly exhausted: number;
  /** Up to this many bytes V8's worst case is cheap; -1 if never, `Infinity` if always. */
  readonly nativeLengthMax: number;
  /** What V8 takes for each byte of such a value at most, in steps: users of `native` say so with `suspectSteps`. */
  readonly nativeStepsPerByte: number;
  /** Instructions of its program: what it takes to make, in time and in memory, grows with them. */
  readonly size: number;
  /** What compiling it for all engines takes, whether or not it has been compiled before. */
  readonly compileSteps: number;
  /** Makes the engines now that values will need, as far as the process has room for them. */
  prepare(): void;
}
