/** A consumer of a queue, as the configuration describes it. */
export interface QueueConsumerSettings {
  readonly queue: string;
  readonly batchSizeMax: number;
  readonly batchTimeoutMs: number;
  readonly retriesMax: number;
  readonly retryDelayMs: number;
  readonly deadLetterQueue: string | undefined;
}

/** The settings of a queue of an account, which the queue itself stores. */
export interface QueueSettings {
  /** Null if no Worker consumes the queue. */
  readonly consumer: QueueConsumerSettings | null;
  /** For a queue whose messages are pulled. Undefined in settings stored by earlier versions. */
  readonly pull?: Pick<QueueConsumerSettings, 'retriesMax' | 'deadLetterQueue'> | undefined;
  /** The delay in seconds of messages that name none. */
  readonly deliveryDelay: number;
  readonly retentionMs: number;
  readonly isPaused: boolean;
}
