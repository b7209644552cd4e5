/** A consumer of a queue, as the configuration describes it. */
export interface QueueConsumerSettings {
  readonly queue: string;
  readonly batchSizeMax: number;
  readonly batchTimeoutMs: number;
  readonly retriesMax: number;
  readonly retryDelayMs: number;
  readonly deadLetterQueue: string | undefined;
}
