/** Where the lines of a job go. */
export interface Batch {
  /** The same if it is sent again. */
  readonly id: string;
  /** Each ends with a line feed. */
  readonly lines: Buffer;
}

export interface Sink {
  /** Resolves when the receiver has them; rejects if that is not certain. Called one at a time. */
  send(batch: Batch, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
