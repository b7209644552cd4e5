/**
 * One request and its response. Output waits here until `Http2Session.produce` has room for it: in the windows of the
 * stream and of the connection, and on the way to the client.
 *
 * - Nothing is sent after the end or a reset of a stream; later calls do nothing.
 * - Received bytes count against the client's window until they are consumed.
 */
import {
  type ErrorCode,
  errorCode,
  frameFlag,
  framePayloadBytesMax,
  frameType,
} from './frames/frame-types.ts';
import type { HeaderList } from './hpack/header-decoder.ts';
import type { FieldLine, HeaderEncoder } from './hpack/header-encoder.ts';
import type { Output } from './frames/output.ts';
import type { Http2Limits } from './limits.ts';
import { ReceiveWindow } from './receive-window.ts';

/** The code that answers the request. After `onReset`, nothing more is called. */
export interface StreamListener {
  onData(bytes: Buffer): void;
  /** The request is complete. */
  onEnd(trailers: HeaderList | undefined): void;
  /** The stream closed before the response was complete: by the client, by an error, or with its connection. */
  onReset(): void;
  /** All waiting data was sent. */
  onDrain(): void;
  /** The end of the response is on its way. */
  onSent(): void;
}

/** The connection as its streams see it. */
export interface StreamOwner {
  /** The stream has something to send. */
  schedule(stream: Stream): void;
  consume(stream: Stream, bytes: number): void;
  reset(stream: Stream, code: ErrorCode): void;
}

type StreamLimits = Pick<Http2Limits, 'streamWindowBytes' | 'queuedBytesMax'>;

type Ending =
  /** More follows. */
  | { readonly kind: 'open' }
  /** The stream closes when everything was sent, with a reset if there is a code. */
  | {
      readonly kind: 'ending';
      readonly trailers: readonly FieldLine[] | undefined;
      readonly code: ErrorCode | undefined;
    }
  | { readonly kind: 'ended' };

const open: Ending = { kind: 'open' };
const ended: Ending = { kind: 'ended' };

/** Why a stream stopped sending. */
export type SendStop = 'done' | 'ended' | 'more' | 'stream window' | 'connection window';

export class Stream {
  readonly id: number;
  readonly #owner: StreamOwner;
  readonly #queuedBytesMax: number;
  listener: StreamListener | undefined;
  sendWindow: number;
  readonly receiveWindow: ReceiveWindow;
  /** Received but not consumed. */
  unconsumedBytes = 0;
  isRemoteEnded = false;
  isClosed = false;
  isScheduled = false;
  readonly #heads: (readonly FieldLine[])[] = [];
  readonly #queue: Buffer[] = [];
  #queuedBytes = 0;
  #ending: Ending = open;
  #mustDrain = false;
  /** All bytes sent, including frame heads. */
  sentBytes = 0;

  constructor(id: number, owner: StreamOwner, limits: StreamLimits, sendWindowBytes: number) {
    this.id = id;
    this.#owner = owner;
    this.#queuedBytesMax = limits.queuedBytesMax;
    this.sendWindow = sendWindowBytes;
    this.receiveWindow = new ReceiveWindow(limits.streamWindowBytes);
  }

  get isLocalEnded(): boolean {
    return this.#ending.kind === 'ended';
  }

  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  /** The code of the reset that follows the end. */
  get codeAfterEnd(): ErrorCode | undefined {
    return this.#ending.kind === 'ending' ? this.#ending.code : undefined;
  }

  /** `:status` first, names in lower case. */
  sendHead(fields: readonly FieldLine[]): void {
    if (this.isClosed || this.#ending.kind !== 'open') return;
    this.#heads.push(fields);
    this.#owner.schedule(this);
  }

  /** Returns whether the client keeps up; if not, `onDrain` follows when it has caught up. */
  sendData(bytes: Buffer): boolean {
    if (this.isClosed || this.#ending.kind !== 'open') return true;
    if (bytes.length > 0) {
      this.#queue.push(bytes);
      this.#queuedBytes += bytes.length;
      this.#owner.schedule(this);
    }
    return this.keepsUp();
  }

  keepsUp(): boolean {
    if (this.#queuedBytes <= this.#queuedBytesMax) return true;
    this.#mustDrain = true;
    return false;
  }

  /** The response is complete. The reset cuts off an incomplete request. */
  end({
    trailers,
    code,
  }: { readonly trailers?: readonly FieldLine[]; readonly code?: ErrorCode } = {}): void {
    if (this.isClosed || this.#ending.kind !== 'open') return;
    const reset = code ?? (this.isRemoteEnded ? undefined : errorCode.none);
    this.#ending = { kind: 'ending', trailers, code: reset };
    this.#owner.schedule(this);
  }

  /** Resets the stream at once and drops waiting data. */
  reset(code: ErrorCode): void {
    if (!this.isClosed) this.#owner.reset(this, code);
  }

  /** This many received bytes are no longer held. */
  consume(bytes: number): void {
    this.#owner.consume(this, bytes);
  }

  /** For the connection: drops all waiting data. */
  close(): void {
    this.isClosed = true;
    this.#heads.length = 0;
    this.#queue.length = 0;
    this.#queuedBytes = 0;
  }

  /** For the connection: writes as much as fits, at most one frame of data. */
  produce(output: Output, encoder: HeaderEncoder, connectionWindow: number): SendStop {
    const before = output.bytes;
    const progress = this.#produce(output, encoder, connectionWindow);
    this.sentBytes += output.bytes - before;
    return progress;
  }

  #produce(output: Output, encoder: HeaderEncoder, connectionWindow: number): SendStop {
    const heads = this.#heads;
    if (heads.length > 0) {
      const endsWithHead = this.#queue.length === 0 && this.#endsWithout();
      for (let index = 0; index < heads.length; index++)
        output.writeHeaders(this.id, heads[index]!, {
          encoder,
          isEnd: endsWithHead && index === heads.length - 1,
        });
      heads.length = 0;
      if (endsWithHead) return 'ended';
    }
    const first = this.#queue[0];
    if (first !== undefined) return this.#produceData(first, output, connectionWindow);
    if (this.#ending.kind !== 'ending') return 'done';
    const { trailers } = this.#ending;
    if (trailers !== undefined) output.writeHeaders(this.id, trailers, { encoder, isEnd: true });
    else {
      output.writeFrame({ type: frameType.data, flags: frameFlag.endStream, streamId: this.id }, nothing);
    }
    return 'ended';
  }

  #produceData(first: Buffer, output: Output, connectionWindow: number): SendStop {
    if (this.sendWindow <= 0) return 'stream window';
    if (connectionWindow <= 0) return 'connection window';
    const length = Math.min(first.length, framePayloadBytesMax, this.sendWindow, connectionWindow);
    let sent = first;
    if (length === first.length) this.#queue.shift();
    else {
      sent = first.subarray(0, length);
      this.#queue[0] = first.subarray(length);
    }
    this.#queuedBytes -= length;
    this.sendWindow -= length;
    const isEnd = this.#queue.length === 0 && this.#endsWithout();
    const flags = isEnd ? frameFlag.endStream : 0;
    output.writeFrame({ type: frameType.data, flags, streamId: this.id }, sent);
    if (isEnd) return 'ended';
    return this.#queue.length > 0 || this.#ending.kind === 'ending' ? 'more' : 'done';
  }

  /** Whether the stream ends with the last waiting data, because no trailers follow. */
  #endsWithout(): boolean {
    return this.#ending.kind === 'ending' && this.#ending.trailers === undefined;
  }

  /** For the connection: must be called after `produce` has returned `ended`. */
  markEnded(): void {
    this.#ending = ended;
  }

  /** For the connection: whether the source waits for the notification that everything was sent. */
  takeDrain(): boolean {
    const mustDrain = this.#mustDrain && this.#queuedBytes === 0;
    if (mustDrain) this.#mustDrain = false;
    return mustDrain;
  }
}

const nothing = Buffer.alloc(0);
