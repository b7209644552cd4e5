/** The code of a Worker that consumes queues, called by the objects of the queues in this process or another. */
import { RpcTarget } from '#rpc';
import { MessageBatch } from './message-batch.ts';
import type { BatchOutcome, DeliveredMessage, QueueMetrics } from './queue-messages.ts';

/** Runs `queue(batch, env, ctx)` of the Worker. */
export type HandleBatch = (batch: MessageBatch) => Promise<void>;

export class QueueConsumer extends RpcTarget {
  readonly #onError: (error: unknown) => void;
  readonly #loaded = Promise.withResolvers<void>();
  #handle: HandleBatch | undefined;

  constructor(onError: (error: unknown) => void) {
    super();
    this.#onError = onError;
  }

  /** Passes batches to this code from now on. */
  use(handle: HandleBatch): void {
    this.#handle = handle;
    this.#loaded.resolve();
  }

  async consume(
    queue: string,
    messages: readonly DeliveredMessage[],
    metrics: QueueMetrics,
  ): Promise<BatchOutcome> {
    // Overdue alarms fire as soon as the objects exist, which is before the Worker is loaded.
    await this.#loaded.promise;
    const batch = new MessageBatch(queue, messages, metrics);
    try {
      await this.#handle!(batch);
    } catch (error) {
      this.#onError(error);
      return batch.conclude('failed');
    }
    return batch.conclude('returned');
  }
}
