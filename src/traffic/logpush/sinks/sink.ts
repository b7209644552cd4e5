/** The receiver of a job's lines. */
export interface Batch {
  /** The same when the batch is sent again. */
  readonly id: string;
  /** Each line ends with a line feed. */
  readonly lines: Buffer;
}

export interface Sink {
  /** Resolves when the receiver has them; rejects if that is not certain. Calls do not overlap. */
  send(batch: Batch, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
