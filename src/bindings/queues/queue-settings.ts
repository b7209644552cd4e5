/** A consumer of a queue, as the configuration describes it. */
export interface QueueConsumerSettings {
  readonly queue: string;
  readonly batchSizeMax: number;
  readonly batchTimeoutMs: number;
  readonly retriesMax: number;
  readonly retryDelayMs: number;
  readonly deadLetterQueue: string | undefined;
}

/** What a queue of an account is set to, which it keeps itself. */
export interface QueueSettings {
  /** Null if nobody consumes it. */
  readonly consumer: QueueConsumerSettings | null;
  /** Seconds that messages wait for which nobody says how long. */
  readonly deliveryDelay: number;
  readonly retentionMs: number;
  readonly isPaused: boolean;
}
