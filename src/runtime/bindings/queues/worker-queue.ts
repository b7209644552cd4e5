/** `env.QUEUE`: a queue, as code of a Worker that produces messages sees it. */
import { wrongType } from '#base';
import { queueBatchBytesMax, queueBatchMessagesMax, queueMessageBytesMax } from '../limits.ts';
import type { OpenObject } from '../open-object.ts';
import { toRefusal } from '../refusal.ts';
import type { ShowFields } from '../shown-fields.ts';
import {
  encodeBody,
  type NewMessage,
  type QueueContentType,
  type QueueMetrics,
  readContentType,
  readDelay,
} from './queue-messages.ts';
import type { QueueObject } from './queue-object.ts';

interface SendOptions {
  readonly contentType?: string;
  readonly delaySeconds?: number;
}

interface SendRequest extends SendOptions {
  readonly body: unknown;
}

interface SendResponse {
  readonly metadata: { readonly metrics: QueueMetrics };
}

export interface ProducerSettings {
  /** The delay in seconds of messages that name none. */
  readonly deliveryDelay: number;
  /** The content type of messages that name none: `v8` before 2024-03-18. */
  readonly contentType: QueueContentType;
  readonly show: ShowFields;
}

export class WorkerQueue {
  readonly #open: OpenObject<QueueObject>;
  readonly #settings: ProducerSettings;

  constructor(open: OpenObject<QueueObject>, settings: ProducerSettings) {
    this.#open = open;
    this.#settings = settings;
  }

  async send(body: unknown, options?: SendOptions | null): Promise<SendResponse> {
    const operation = 'Queue send';
    if (arguments.length === 0) throw wrongType({ method: 'send', face: 'WorkerQueue' }, 1, 'JsValue');
    const message = this.#encode({ ...options, body }, operation);
    const { length } = message.body;
    if (length > queueMessageBytesMax)
      throw new Error(
        `${operation} failed: message length of ${length} bytes exceeds limit of ${queueMessageBytesMax}`,
      );
    return await this.#send([message], undefined);
  }

  async sendBatch(
    requests: Iterable<SendRequest>,
    options?: { readonly delaySeconds?: number } | null,
  ): Promise<SendResponse> {
    const operation = 'Queue sendBatch';
    if (typeof requests !== 'object' || requests === null || !(Symbol.iterator in requests))
      throw wrongType({ method: 'sendBatch', face: 'WorkerQueue' }, 1, 'Sequence');
    const messages = Array.from(requests, (request) => this.#encode(request, operation));
    if (messages.length === 0) throw toRefusal(new TypeError('sendBatch() requires at least one message'));
    checkBatch(messages, operation);
    return await this.#send(messages, readDelay(options?.delaySeconds, operation));
  }

  async metrics(): Promise<QueueMetrics> {
    return this.#showMetrics(await this.#open().metrics());
  }

  async #send(messages: readonly NewMessage[], delaySeconds: number | undefined): Promise<SendResponse> {
    const metrics = await this.#open().enqueue(messages, delaySeconds ?? this.#settings.deliveryDelay);
    return { metadata: { metrics: this.#showMetrics(metrics) } };
  }

  #showMetrics({ backlogCount, backlogBytes, oldestMessageTimestamp }: QueueMetrics): QueueMetrics {
    return this.#settings.show({ backlogCount, backlogBytes, oldestMessageTimestamp });
  }

  #encode({ body, contentType, delaySeconds }: SendRequest, operation: string): NewMessage {
    if (body === undefined) throw toRefusal(new TypeError('Message body cannot be undefined'));
    const type = contentType === undefined ? this.#settings.contentType : readContentType(contentType);
    return {
      contentType: type,
      body: encodeBody(body, type),
      delaySeconds: readDelay(delaySeconds, operation),
    };
  }
}

function checkBatch(messages: readonly NewMessage[], operation: string): void {
  const refuse = (text: string): Error => toRefusal(new Error(`${operation} failed: ${text}`));
  if (messages.length > queueBatchMessagesMax)
    throw refuse(`batch message count of ${messages.length} exceeds limit of ${queueBatchMessagesMax}`);
  const largest = Math.max(...messages.map(({ body }) => body.length));
  if (largest > queueMessageBytesMax)
    throw refuse(
      `message in batch has length ${largest} bytes which exceeds single message size limit of ${queueMessageBytesMax}`,
    );
  const bytes = messages.reduce((sum, { body }) => sum + body.length, 0);
  if (bytes > queueBatchBytesMax)
    throw refuse(`batch size of ${bytes} bytes exceeds limit of ${queueBatchBytesMax}`);
}
