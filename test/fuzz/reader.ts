/** A reader of bytes that anybody may send, as the fuzzer sees it. */
export interface FuzzedReader {
  /** What `--only` takes. */
  readonly name: string;
  /** Inputs that it takes, to begin with. */
  readonly seeds: readonly (string | Uint8Array)[];
  /** Pieces of its language. */
  readonly words: readonly string[];
  /**
   * Reads the input. Throws if the reader breaks a promise: an error that is not one of its own, a value that differs from
   * what a second reader sees, or that is not the same when it is written and read again.
   */
  check(input: Buffer): void;
}
