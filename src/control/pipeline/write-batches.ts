/**
 * Writes to one object that arrive together are answered in one turn of the object, so they are committed and recorded
 * together. Each is a transaction of its own all the same: a fault of one does not concern the others.
 *
 * Batches are sent in the order of their writes. While two batches are under way, one being worked on and one on its
 * way to the disk, further writes wait and form the next; a write that comes alone waits for nothing.
 */
import type { WrittenResponse } from '#contract';
import type { Call } from '../context/handler.ts';
import { batchedWritesMax } from '../context/limits.ts';

/** An answer, or an error that is no fault. */
type BatchedAnswer = WrittenResponse | { readonly failure: Error };

export interface BatchingObject {
  /** Answers the first calls, at least one; the others have to be asked again. */
  answerAll(calls: readonly Call[]): Promise<BatchedAnswer[]>;
}

const batchesUnderWayMax = 2;

interface Waiting extends PromiseWithResolvers<WrittenResponse> {
  readonly call: Call;
}

export class WriteBatches {
  readonly #getObject: (name: string) => BatchingObject;
  readonly #queues = new Map<string, WriteQueue>();

  constructor(getObject: (name: string) => BatchingObject) {
    this.#getObject = getObject;
  }

  answer(objectName: string, call: Call): Promise<WrittenResponse> {
    let queue = this.#queues.get(objectName);
    if (queue === undefined) {
      queue = new WriteQueue(
        () => this.#getObject(objectName),
        () => this.#queues.delete(objectName),
      );
      this.#queues.set(objectName, queue);
    }
    return queue.answer(call);
  }
}

/** The writes to one object. */
class WriteQueue {
  readonly #getObject: () => BatchingObject;
  #object: BatchingObject;
  readonly #onEmpty: () => void;
  #waiting: Waiting[] = [];
  #underWay = 0;
  #isScheduled = false;

  constructor(getObject: () => BatchingObject, onEmpty: () => void) {
    this.#getObject = getObject;
    this.#object = getObject();
    this.#onEmpty = onEmpty;
  }

  answer(call: Call): Promise<WrittenResponse> {
    const waiting: Waiting = { ...Promise.withResolvers<WrittenResponse>(), call };
    this.#waiting.push(waiting);
    this.#schedule();
    return waiting.promise;
  }

  /** At the end of this turn of the event loop, when all requests that have arrived in it are here. */
  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0 || this.#underWay === batchesUnderWayMax) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      void this.#send(this.#waiting.splice(0, batchedWritesMax));
      this.#schedule();
    });
  }

  async #send(batch: readonly Waiting[]): Promise<void> {
    this.#underWay++;
    try {
      const answers = await this.#object.answerAll(batch.map(({ call }) => call));
      for (const [index, answer] of answers.entries()) settle(batch[index]!, answer);
      this.#waiting.unshift(...batch.slice(answers.length));
    } catch (error) {
      // A stub stays broken once it has seen its object break: the writes that wait need another.
      this.#object = this.#getObject();
      for (const { reject } of batch) reject(error);
    }
    this.#underWay--;
    this.#schedule();
    if (this.#underWay === 0 && this.#waiting.length === 0) this.#onEmpty();
  }
}

function settle({ resolve, reject }: Waiting, answer: BatchedAnswer): void {
  if ('failure' in answer) reject(answer.failure);
  else resolve(answer);
}
