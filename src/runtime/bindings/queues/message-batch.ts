/** The messages that a consumer receives, and its decision about each. The first decision about a message counts. */
import { type BatchOutcome, decodeBody, type DeliveredMessage, type QueueMetrics } from './queue-messages.ts';

interface RetryOptions {
  readonly delaySeconds?: number;
}

type Retry = { readonly kind: 'retry'; readonly delaySeconds?: number };
type Decision = { readonly kind: 'acknowledge' } | Retry;

export class MessageBatch {
  readonly queue: string;
  readonly messages: readonly Message[];
  readonly metadata: { readonly metrics: QueueMetrics };
  #rest: Decision | undefined;

  constructor(queue: string, messages: readonly DeliveredMessage[], metrics: QueueMetrics) {
    this.queue = queue;
    this.messages = messages.map((message) => new Message(message, () => this.#rest));
    this.metadata = { metrics };
  }

  ackAll(): void {
    this.#rest ??= { kind: 'acknowledge' };
  }

  retryAll(options?: RetryOptions): void {
    this.#rest ??= toRetry(options);
  }

  /** The consumer's decisions, in the platform's format. */
  describe() {
    const own = this.messages.flatMap((message) => {
      const decision = decisionOf(message);
      return decision === undefined || decision === this.#rest ? [] : [{ id: message.id, decision }];
    });
    const rest = this.#rest;
    return {
      ackAll: rest?.kind === 'acknowledge',
      retryBatch: rest?.kind === 'retry' ? { retry: true, ...delayOf(rest) } : { retry: false },
      explicitAcks: own.filter(({ decision }) => decision.kind === 'acknowledge').map(({ id }) => id),
      retryMessages: own.flatMap(({ id, decision }) =>
        decision.kind === 'retry' ? [{ msgId: id, ...delayOf(decision) }] : [],
      ),
    };
  }

  /** The outcome for each message, once the consumer has returned or failed. */
  conclude(result: 'returned' | 'failed'): BatchOutcome {
    const acknowledged: string[] = [];
    const retried: { id: string; delaySeconds: number | undefined }[] = [];
    const otherwise: Decision = result === 'returned' ? { kind: 'acknowledge' } : { kind: 'retry' };
    for (const message of this.messages) {
      const decision = decisionOf(message) ?? otherwise;
      if (decision.kind === 'acknowledge') acknowledged.push(message.id);
      else retried.push({ id: message.id, delaySeconds: decision.delaySeconds });
    }
    return { acknowledged, retried };
  }
}

let decisionOf: (message: Message) => Decision | undefined;

export class Message {
  readonly id: string;
  readonly timestamp: Date;
  readonly body: unknown;
  readonly attempts: number;
  #decision: Decision | undefined;
  readonly #ofBatch: () => Decision | undefined;

  static {
    decisionOf = (message) => message.#decision ?? message.#ofBatch();
  }

  /** `ofBatch` returns the decision about the whole batch. */
  constructor(message: DeliveredMessage, ofBatch: () => Decision | undefined) {
    this.#ofBatch = ofBatch;
    this.id = message.id;
    this.timestamp = new Date(message.timestamp);
    this.body = decodeBody(message);
    this.attempts = message.attempts;
  }

  ack(): void {
    this.#decision ??= this.#ofBatch() ?? { kind: 'acknowledge' };
  }

  retry(options?: RetryOptions): void {
    this.#decision ??= this.#ofBatch() ?? toRetry(options);
  }
}

function delayOf({ delaySeconds }: Retry): { readonly delaySeconds?: number } {
  return delaySeconds === undefined ? {} : { delaySeconds };
}

function toRetry(options: RetryOptions | undefined): Decision {
  const delaySeconds = options?.delaySeconds;
  return delaySeconds === undefined ? { kind: 'retry' } : { kind: 'retry', delaySeconds };
}
