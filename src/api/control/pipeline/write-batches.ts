/**
 * Writes to one object that arrive together are answered in one turn of the object, so they are committed and recorded
 * together. Still, each is a transaction of its own: a fault of one does not affect the others.
 *
 * Batches are sent in the order of their writes. While two batches are in flight, one being processed and one being
 * flushed to disk, further writes wait and form the next batch; a single write does not wait.
 */
import { BatchQueue } from '#base';
import type { WrittenResponse } from '#contract';
import type { Call } from '../context/handler.ts';
import { batchedWritesMax } from '../context/limits.ts';

/** An answer, or an error that is not a fault. */
type BatchedAnswer = WrittenResponse | { readonly failure: Error };

export interface BatchingObject {
  /** Answers the first calls, at least one; the others must be sent again. */
  answerAll(calls: readonly Call[]): Promise<BatchedAnswer[]>;
}

const batchesUnderWayMax = 2;

interface Waiting extends PromiseWithResolvers<WrittenResponse> {
  readonly call: Call;
}

export class WriteBatches {
  readonly #getObject: (name: string) => BatchingObject;
  /** The writes to each object that has any. */
  readonly #queues = new Map<string, BatchQueue<Waiting>>();

  constructor(getObject: (name: string) => BatchingObject) {
    this.#getObject = getObject;
  }

  answer(objectName: string, call: Call): Promise<WrittenResponse> {
    const waiting: Waiting = { ...Promise.withResolvers<WrittenResponse>(), call };
    (this.#queues.get(objectName) ?? this.#open(objectName)).add(waiting);
    return waiting.promise;
  }

  #open(objectName: string): BatchQueue<Waiting> {
    let object = this.#getObject(objectName);
    const queue = new BatchQueue<Waiting>({
      send: async (batch) => {
        const answers = await object.answerAll(batch.map(({ call }) => call));
        for (const [index, answer] of answers.entries()) settle(batch[index]!, answer);
        return answers.length;
      },
      onLost: (batch, error) => {
        // A stub stays broken once its object has failed: the waiting writes need another.
        object = this.#getObject(objectName);
        for (const { reject } of batch) reject(error);
      },
      onEmpty: () => this.#queues.delete(objectName),
      // Each holds a request, and requests are bounded where they arrive.
      heldMax: Infinity,
      batchMax: batchedWritesMax,
      delay: 'turn',
      underWayMax: batchesUnderWayMax,
    });
    this.#queues.set(objectName, queue);
    return queue;
  }
}

function settle({ resolve, reject }: Waiting, answer: BatchedAnswer): void {
  if ('failure' in answer) reject(answer.failure);
  else resolve(answer);
}
