/** A parser of untrusted bytes, as the fuzzer sees it. */
export interface FuzzedReader {
  /** The name for `--only`. */
  readonly name: string;
  /** Valid inputs to start with. */
  readonly seeds: readonly (string | Uint8Array)[];
  /** Tokens of its language. */
  readonly words: readonly string[];
  /**
   * Reads the input. Throws if the reader breaks a promise: an error that is not one of its own, a value that differs from
   * what a second reader sees, or that is not the same when it is written and read again.
   */
  check(input: Buffer): void | Promise<void>;
}
