/** Messages of a queue in transit: how their bodies are encoded and decoded. */
import { decodeValue, encodeValue } from '#values';
import { queueDelaySecondsMax } from '../limits.ts';
import { toRefusal } from '../refusal.ts';

export type QueueContentType = 'json' | 'text' | 'bytes' | 'v8';

export interface NewMessage {
  readonly contentType: QueueContentType;
  readonly body: Uint8Array;
  /** Undefined: the default delay of the queue. */
  readonly delaySeconds: number | undefined;
  /** The id and time of a message from another queue. */
  readonly id?: string;
  readonly timestamp?: number;
}

/** A message that has not been consumed yet. */
export interface WaitingMessage {
  readonly id: string;
  readonly timestamp: number;
  /** When it may be delivered. */
  readonly due: number;
  /** Attempts so far. */
  readonly attempts: number;
  readonly contentType: QueueContentType;
  readonly body: Uint8Array;
}

/** What became of messages offered to `takeOver`. */
export interface TakenMessages {
  readonly taken: number;
  /** How many had been taken over before. */
  readonly present: number;
  /** How many are older than the queue's retention. */
  readonly expired: number;
}

export interface DeliveredMessage {
  readonly id: string;
  readonly timestamp: number;
  readonly contentType: QueueContentType;
  readonly body: ArrayBuffer;
  /** Including this one. */
  readonly attempts: number;
}

/** A message that a program passes to a consumer itself. */
export interface GivenMessage {
  readonly id: string;
  readonly timestamp: Date;
  readonly attempts: number;
  readonly body?: unknown;
  /** The body in the `v8` encoding. */
  readonly serializedBody?: ArrayBuffer | ArrayBufferView;
}

export interface PullOptions {
  readonly count: number;
  /** After how long an unacknowledged message becomes visible again. */
  readonly visibleAfterMs: number;
}

export interface PulledMessage extends DeliveredMessage {
  /** Acknowledges the message. */
  readonly lease: string;
}

export interface QueueMetrics {
  readonly backlogCount: number;
  readonly backlogBytes: number;
  readonly oldestMessageTimestamp?: Date | undefined;
}

/** A consumer's outcome for a batch. */
export interface BatchOutcome {
  readonly acknowledged: readonly string[];
  /** To be delivered again, with the delay in seconds that the consumer requested, if any. */
  readonly retried: readonly { readonly id: string; readonly delaySeconds: number | undefined }[];
}

export function toDeliveredMessage(message: GivenMessage): DeliveredMessage {
  const { id, timestamp, attempts, body, serializedBody } = message;
  if (!(timestamp instanceof Date))
    throw new TypeError(
      "Incorrect type for the 'timestamp' field on 'ServiceBindingQueueMessage': the provided value is not of type 'date'.",
    );
  const bytes = serializedBody === undefined ? encodeValue(body) : encodeBody(serializedBody, 'bytes');
  return {
    id: String(id),
    timestamp: timestamp.getTime(),
    attempts: Number(attempts),
    contentType: 'v8',
    body: new Uint8Array(bytes).buffer,
  };
}

export function encodeBody(body: unknown, contentType: QueueContentType): Uint8Array {
  switch (contentType) {
    case 'text':
      if (typeof body !== 'string') throw wrongBody('text', 'string', body);
      return Buffer.from(body);
    case 'bytes':
      if (body instanceof ArrayBuffer) return new Uint8Array(body);
      if (!ArrayBuffer.isView(body)) throw wrongBody('bytes', 'ArrayBufferView', body);
      return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
    case 'json': {
      const json = JSON.stringify(body);
      if (json === undefined) throw toRefusal(new TypeError(`Message body cannot be a ${typeof body}`));
      return Buffer.from(json);
    }
    case 'v8':
      return encodeValue(body);
  }
}

export function decodeBody({ contentType, body }: DeliveredMessage): unknown {
  switch (contentType) {
    case 'text':
      return Buffer.from(body).toString();
    case 'bytes':
      return body;
    case 'json':
      return JSON.parse(Buffer.from(body).toString());
    case 'v8':
      return decodeValue(new Uint8Array(body));
  }
}

export function readContentType(contentType: unknown): QueueContentType {
  const name = String(contentType).toLowerCase();
  if (name === 'text' || name === 'bytes' || name === 'json' || name === 'v8') return name;
  throw new TypeError(`Unsupported queue message content type: ${String(contentType)}`);
}

/** Undefined if no delay is requested. */
export function readDelay(delaySeconds: unknown, operation: string): number | undefined {
  if (delaySeconds === undefined || delaySeconds === null) return undefined;
  const seconds = Number(delaySeconds);
  if (Number.isInteger(seconds) && seconds >= 0 && seconds <= queueDelaySecondsMax) return seconds;
  throw toRefusal(
    new Error(
      `${operation} failed: message delay ${seconds} is invalid: it must be a whole number of seconds from 0 to ${queueDelaySecondsMax}`,
    ),
  );
}

function wrongBody(contentType: QueueContentType, expected: string, body: unknown): TypeError {
  return toRefusal(
    new TypeError(
      `Content Type "${contentType}" requires a value of type ${expected}, but received: ${typeof body}`,
    ),
  );
}
