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
  /** Null if no Worker consumes it. */
  readonly consumer: QueueConsumerSettings | null;
  /** Of a queue whose messages are pulled. Queues that were set earlier do not say. */
  readonly pull?: Pick<QueueConsumerSettings, 'retriesMax' | 'deadLetterQueue'> | undefined;
  /** Seconds that messages wait for which nobody says how long. */
  readonly deliveryDelay: number;
  readonly retentionMs: number;
  readonly isPaused: boolean;
}
