/** The code of a Worker that consumes queues, as the objects of the queues call it: from this process or another. */
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

  /** From now on, batches go to this code. */
  use(handle: HandleBatch): void {
    this.#handle = handle;
    this.#loaded.resolve();
  }

  async consume(
    queue: string,
    messages: readonly DeliveredMessage[],
    metrics: QueueMetrics,
  ): Promise<BatchOutcome> {
    // Alarms that are overdue fire as soon as the objects are there, which is before the Worker is.
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
