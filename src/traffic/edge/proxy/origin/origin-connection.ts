/**
 * One connection to an origin: one request at a time, its response parsed strictly. A connection is reused only if the
 * start of the next response is certain: the request was sent completely, the response had a length, the origin did not
 * send `close`, and no byte arrived after the response or while no request was pending. Otherwise one client could get
 * the response of another.
 */
import type { Socket } from 'node:net';
import { createBodyDecoder } from '../../wire/body/body-decoder.ts';
import type { BodyDecoder } from '../../wire/body/decoder.ts';
import { HeadCollector } from '../../wire/head-collector.ts';
import { interimResponsesMax, type WireLimits, type WireTimeouts } from '../../wire/limits.ts';
import { Refusal } from '../../wire/refusal.ts';
import { type ResponseHead, ResponseHeadReader } from '../../wire/response-head.ts';
import { BatchedWriter } from '../batched-writer.ts';
import type { Watch, Watchdog } from '../watchdog.ts';
import { RelayTurns } from './relay-turns.ts';

/** Shared by the connections of this thread, which has one event loop. */
const relayTurns = new RelayTurns();

/** Receives a response, in this order: head, data, end. A failure can interrupt it at any point. */
export interface ResponseListener {
  /** `103 Early Hints`, before the head. */
  onHints(head: ResponseHead): void;
  onResponseHead(head: ResponseHead): void;
  onResponseData(bytes: Buffer): void;
  /** All data of one read has been passed on. */
  onResponsePause(): void;
  onResponseEnd(): void;
  /** From here on, the socket belongs to the listener; `early` contains the first bytes of the other protocol. */
  onSwitch(head: ResponseHead, socket: Socket, early: Buffer): void;
  /** `isStale`: the connection had been used before, and closed before the first byte of the response. */
  onOriginFailure(refusal: Refusal, isStale: boolean): void;
  onOriginDrain(): void;
}

/** The owner of the connection. */
export interface ConnectionOwner {
  readonly limits: WireLimits;
  readonly timeouts: WireTimeouts;
  readonly watchdog: Watchdog;
  /** The connection can take another request within this many milliseconds. */
  onIdle(connection: OriginConnection, keepMs: number): void;
  onClosed(connection: OriginConnection): void;
}

interface BegunRequest {
  readonly method: string;
  /** The connection is not reused, whatever the origin says. */
  readonly isLast: boolean;
  /** Overrides the timeouts of the owner. */
  readonly readMs: number | undefined;
}

type OriginConnectionState = 'idle' | 'head' | 'body' | 'closed';

export class OriginConnection {
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  readonly #watch: Watch;
  readonly #collector: HeadCollector;
  readonly #heads: ResponseHeadReader;
  readonly writer: BatchedWriter;
  #state: OriginConnectionState = 'idle';
  #listener: ResponseListener | undefined;
  #method = '';
  #decoder: BodyDecoder | undefined;
  #head: ResponseHead | undefined;
  #isRequestSent = false;
  #isLast = false;
  /** How long the origin may be silent before its response, and within it. */
  #firstByteMs = 0;
  #idleMs = 0;
  #requestsServed = 0;
  #interimResponses = 0;
  #hasAnswerBegun = false;
  /** Reading waits for the listener, or for a turn of the event loop with budget left. */
  #isPaused = false;
  #awaitsTurn = false;

  constructor(owner: ConnectionOwner, socket: Socket) {
    this.#owner = owner;
    this.#socket = socket;
    this.writer = new BatchedWriter(socket);
    this.#collector = new HeadCollector(owner.limits.responseHeadBytesMax);
    this.#heads = new ResponseHeadReader(owner.limits);
    this.#watch = owner.watchdog.watch(() => this.#onLate());
    socket.on('data', (bytes: Buffer) => this.#onData(bytes));
    socket.on('end', () => this.#onEnd());
    // The close event that follows reports everything.
    socket.on('error', () => {});
    socket.on('close', () => this.#onClose());
    socket.on('drain', () => this.#listener?.onOriginDrain());
  }

  begin(listener: ResponseListener, { method, isLast, readMs }: BegunRequest): void {
    const { originFirstByteMs, originIdleMs } = this.#owner.timeouts;
    this.#listener = listener;
    this.#method = method;
    this.#isLast = isLast;
    this.#firstByteMs = readMs ?? originFirstByteMs;
    this.#idleMs = readMs ?? originIdleMs;
    this.#state = 'head';
    this.#isRequestSent = false;
    this.#hasAnswerBegun = false;
    this.#interimResponses = 0;
    this.#watch.pause();
  }

  /** The whole request was sent: the origin's time starts now. */
  finishRequest(): void {
    this.#isRequestSent = true;
    if (this.#state === 'head') this.#watch.within(this.#firstByteMs);
  }

  /** The origin accepts no more of the request for now. */
  awaitDrain(): void {
    if (this.#state === 'head') this.#watch.within(this.#idleMs);
  }

  endDrain(): void {
    if (!this.#isRequestSent) this.#watch.pause();
  }

  /** Stops reading until `resume`. */
  pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
    this.#watch.pause();
  }

  resume(): void {
    this.#isPaused = false;
    if (!this.#awaitsTurn) this.#read();
  }

  #read(): void {
    this.#socket.resume();
    if (this.#state === 'body') this.#watch.within(this.#idleMs);
  }

  /** The origin's timeout is paused while other connections are served. */
  #awaitTurn(): void {
    this.#awaitsTurn = true;
    this.#socket.pause();
    this.#watch.pause();
    relayTurns.await(this.#takeTurn);
  }

  readonly #takeTurn = (): void => {
    this.#awaitsTurn = false;
    if (!this.#isPaused) this.#read();
  };

  /** Keeps an unused connection for this long. */
  keepFor(ms: number): void {
    this.#watch.within(ms);
  }

  get isUsable(): boolean {
    return !this.#socket.destroyed && this.#socket.readable && this.#socket.writable;
  }

  /** Closes it at once, without notifying the listener. */
  destroy(): void {
    this.#listener = undefined;
    this.#socket.destroy();
  }

  #onData(bytes: Buffer): void {
    const listener = this.#listener;
    // No request was pending.
    if (listener === undefined) return this.destroy();
    this.#hasAnswerBegun = true;
    let rest = bytes;
    while (rest.length > 0 && this.#listener === listener && this.#state !== 'closed') {
      rest = this.#state === 'head' ? this.#readHead(rest) : this.#readBody(rest);
    }
    // Unless the response is complete and the listener was notified.
    if (this.#listener !== listener) return;
    listener.onResponsePause();
    if (this.#state !== 'body') return;
    if (!relayTurns.spend(bytes.length)) this.#awaitTurn();
    else if (!this.#socket.isPaused()) this.#watch.within(this.#idleMs);
  }

  #readHead(bytes: Buffer): Buffer {
    const collected = this.#collector.push(bytes);
    if (collected === 'incomplete') return nothing;
    const head = typeof collected === 'string' ? undefined : this.#heads.read(collected.text, this.#method);
    if (typeof collected === 'string' || head === undefined) return this.#failBadResponse();
    const rest = bytes.subarray(collected.restOffset);
    if (head.status === 101) return this.#switch(head, rest);
    if (head.status < 200) {
      if (++this.#interimResponses > interimResponsesMax) return this.#failBadResponse();
      // Any other interim response permits a body that is sent anyway.
      if (head.status === 103) this.#listener!.onHints(head);
      return rest;
    }
    this.#state = 'body';
    this.#head = head;
    this.#decoder = createBodyDecoder(head.framing);
    this.#listener!.onResponseHead(head);
    // The listener may have aborted the response.
    if (this.#listener === undefined) return nothing;
    if (this.#decoder.isDone) this.#finish(rest.length > 0);
    return rest;
  }

  #readBody(bytes: Buffer): Buffer {
    const decoder = this.#decoder!;
    const body = decoder.decode(bytes);
    if (decoder.isBroken) return this.#failBadResponse();
    if (body.length > 0) this.#listener!.onResponseData(body);
    if (this.#listener === undefined) return nothing;
    const rest = decoder.restOffset === bytes.length ? nothing : bytes.subarray(decoder.restOffset);
    if (decoder.isDone) this.#finish(rest.length > 0);
    return rest;
  }

  #finish(hasMore: boolean): void {
    const listener = this.#listener!;
    const head = this.#head!;
    this.#listener = undefined;
    this.#head = undefined;
    this.#decoder = undefined;
    this.#state = 'idle';
    this.#requestsServed++;
    const keepMs = readKeepMs(head.keepAlive, this.#owner.timeouts.originKeepAliveMs);
    const isReusable = head.isKeptAlive && !hasMore && this.#isRequestSent && !this.#isLast && keepMs > 0;
    if (isReusable) this.#owner.onIdle(this, keepMs);
    else this.destroy();
    listener.onResponseEnd();
  }

  #switch(head: ResponseHead, early: Buffer): Buffer {
    const listener = this.#listener!;
    this.#listener = undefined;
    this.#state = 'closed';
    this.#watch.end();
    for (const event of ['data', 'end', 'close', 'drain']) this.#socket.removeAllListeners(event);
    this.#socket.once('close', () => this.#owner.onClosed(this));
    listener.onSwitch(head, this.#socket, early);
    return nothing;
  }

  #failBadResponse(): Buffer {
    this.#fail(new Refusal('origin_bad_response', 'The origin answered something that is not valid HTTP.'));
    return nothing;
  }

  #fail(refusal: Refusal, isStale = false): void {
    const listener = this.#listener;
    this.destroy();
    listener?.onOriginFailure(refusal, isStale);
  }

  #failClosed(): void {
    const refusal = new Refusal(
      'origin_closed',
      'The origin closed the connection before its answer was complete.',
    );
    this.#fail(refusal, this.#requestsServed > 0 && !this.#hasAnswerBegun);
  }

  #onLate(): void {
    if (this.#state === 'idle') this.destroy();
    else this.#fail(new Refusal('origin_timeout', 'The origin did not answer in time.'));
  }

  #onEnd(): void {
    // A response without a length is complete when its connection closes.
    if (this.#state === 'body' && this.#head?.framing.kind === 'close') this.#finish(true);
    else this.#failClosed();
  }

  #onClose(): void {
    relayTurns.forget(this.#takeTurn);
    this.#watch.end();
    this.#failClosed();
    this.#state = 'closed';
    this.#owner.onClosed(this);
  }
}

const nothing = Buffer.alloc(0);

/** The last value that was read: an origin always sends the same. */
let lastKeepAlive = { value: '', seconds: NaN };

/** An origin closes the connection when its own timeout expires: during the last second, no request is sent on it. */
function readKeepMs(value: string | undefined, otherwiseMs: number): number {
  if (value === undefined) return otherwiseMs;
  if (lastKeepAlive.value !== value) {
    const seconds = Number(/\btimeout\s*=\s*([0-9]{1,6})/i.exec(value)?.[1]);
    lastKeepAlive = { value, seconds };
  }
  const { seconds } = lastKeepAlive;
  return Number.isNaN(seconds) ? otherwiseMs : Math.min(otherwiseMs, (seconds - 1) * 1_000);
}
