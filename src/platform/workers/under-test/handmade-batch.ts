/** A batch of messages that a test creates, with the handler's decisions about it. */
import { wrongType } from '#base';

export interface SentMessage {
  readonly id: string;
  readonly timestamp: Date | number;
  readonly attempts: number;
  readonly body: unknown;
}

export interface QueueResult {
  readonly outcome: 'ok';
  readonly ackAll: boolean;
  readonly retryBatch: Retry;
  readonly explicitAcks: readonly string[];
  readonly retryMessages: ReadonlyArray<{ readonly msgId: string; readonly delaySeconds?: number }>;
}

interface Retry {
  readonly retry: boolean;
  readonly delaySeconds?: number;
}

interface RetryOptions {
  readonly delaySeconds?: number;
}

const face = 'ServiceBindingQueueMessage';

/** The first decision counts; a contradicting one causes a warning, as on Cloudflare. */
export class TestBatch {
  readonly queue: string;
  readonly messages: readonly TestMessage[];
  readonly metadata = {
    metrics: { backlogCount: 0, backlogBytes: 0, oldestMessageTimestamp: new Date(0) },
  };
  #decision:
    | { readonly kind: 'ack' }
    | { readonly kind: 'retry'; readonly options: RetryOptions }
    | undefined;

  constructor(queue: string, messages: readonly SentMessage[]) {
    if ((queue as unknown) === undefined) throw wrongType({ method: 'createMessageBatch' }, 1, 'string');
    if (!Array.isArray(messages)) throw wrongType({ method: 'createMessageBatch' }, 2, 'Array');
    this.queue = String(queue);
    this.messages = messages.map((message) => new TestMessage(message, () => this.#decision?.kind));
  }

  ackAll(): void {
    if (this.#decision?.kind === 'retry') return warnOf('ackAll()', 'retryAll()');
    this.#decision = { kind: 'ack' };
  }

  retryAll(options: RetryOptions = {}): void {
    if (this.#decision?.kind === 'ack') return warnOf('retryAll()', 'ackAll()');
    this.#decision = { kind: 'retry', options };
  }

  result(): QueueResult {
    const retried = this.messages.filter(({ decision }) => decision?.kind === 'retry');
    return {
      outcome: 'ok',
      retryBatch: {
        retry: this.#decision?.kind === 'retry',
        ...(this.#decision?.kind === 'retry' ? delayOf(this.#decision.options) : {}),
      },
      ackAll: this.#decision?.kind === 'ack',
      retryMessages: retried.map(({ id, decision }) => ({ msgId: id, ...delayOf(decision!.options) })),
      explicitAcks: this.messages.filter(({ decision }) => decision?.kind === 'ack').map(({ id }) => id),
    };
  }
}

class TestMessage {
  readonly id: string;
  readonly timestamp: Date;
  readonly body: unknown;
  readonly attempts: number;
  #decision: { readonly kind: 'ack' | 'retry'; readonly options: RetryOptions } | undefined;
  readonly #ofBatch: () => 'ack' | 'retry' | undefined;

  constructor(message: SentMessage, ofBatch: () => 'ack' | 'retry' | undefined) {
    const { id, timestamp, attempts, body } = message;
    if (typeof timestamp !== 'number' && !(timestamp instanceof Date)) throw wrongField('timestamp', 'date');
    if (typeof attempts !== 'number') throw wrongField('attempts', 'number');
    if ('serializedBody' in message)
      throw new TypeError('Cannot use `serializedBody` with `createMessageBatch()`');
    this.id = String(id);
    this.timestamp = new Date(timestamp);
    this.attempts = attempts;
    this.body = structuredClone(body);
    this.#ofBatch = ofBatch;
  }

  /** The handler's decision about this message. */
  get decision(): { readonly kind: 'ack' | 'retry'; readonly options: RetryOptions } | undefined {
    return this.#decision;
  }

  ack(): void {
    this.#decide('ack', {});
  }

  retry(options: RetryOptions = {}): void {
    this.#decide('retry', options);
  }

  #decide(kind: 'ack' | 'retry', options: RetryOptions): void {
    const ofBatch = this.#ofBatch();
    if (ofBatch === kind) return;
    const own = this.#decision?.kind;
    const said = ofBatch === undefined ? own : ofBatch;
    if (said !== undefined && said !== kind)
      return warnOf(`${kind}() on message ${this.id}`, `${said}${ofBatch === undefined ? '' : 'All'}()`);
    this.#decision ??= { kind, options };
  }
}

function delayOf({ delaySeconds }: RetryOptions): RetryOptions {
  return delaySeconds === undefined ? {} : { delaySeconds };
}

function warnOf(call: string, earlier: string): void {
  console.warn(`Received a call to ${call} after ${earlier} was already called: it has no effect.`);
}

function wrongField(name: string, type: string): TypeError {
  return new TypeError(
    `Incorrect type for the '${name}' field on '${face}': the provided value is not of type '${type}'.`,
  );
}
