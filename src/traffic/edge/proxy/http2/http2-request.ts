/**
 * One request of an HTTP/2 connection, and its client as an exchange sees it. Data that arrives while the exchange does
 * not read waits here, limited by the window of the stream. A body whose length differs from the declared one is
 * malformed.
 *
 * The exchange lasts until the end of its response is on its way, so that a client that reads nothing holds no more
 * than the limits of requests in progress allow.
 */
import type { Duplex } from 'node:stream';
import { errorCode, type HeaderList, type Stream, type StreamListener } from '#http2';
import { UnframedDecoder } from '../../wire/body/body-decoder.ts';
import type { BodyDecoder } from '../../wire/body/decoder.ts';
import { areHttp2TrailersValid } from '../../wire/http2/parse-http2-head.ts';
import type { RequestHead } from '../../wire/request/request-head.ts';
import { Exchange } from '../exchange.ts';
import type { ConnectedClient } from '../client-side/connected-client.ts';
import type { ClientSide } from '../exchange-sides.ts';
import type { ProxyCore } from '../proxy-core.ts';
import type { Watch } from '../watchdog.ts';
import { Http2ResponseWriter } from './http2-response-writer.ts';
import { StreamSocket } from './stream-socket.ts';

/** The connection, as its requests see it. */
export interface Http2RequestOwner {
  readonly core: ProxyCore;
  readonly connection: ConnectedClient;
  /** The end of the response waits to be sent. */
  onFinishing(request: Http2Request): void;
  onStall(): void;
  /** The client's request turned out to be malformed. */
  onMalformed(): void;
  onRequestEnd(): void;
}

const nothing = Buffer.alloc(0);

export class Http2Request implements ClientSide, StreamListener {
  readonly #owner: Http2RequestOwner;
  readonly connection: ConnectedClient;
  readonly #stream: Stream;
  readonly #exchange: Exchange;
  /** Undefined unless there is a body. */
  #decoder: UnframedDecoder | undefined;
  readonly writer: Http2ResponseWriter;
  readonly headBytes: number;
  /** Length of the body; undefined if it is not declared. */
  readonly #declaredBytes: number | undefined;
  #receivedBytes = 0;
  /** Data that arrived while the exchange did not read. */
  #waiting: Buffer[] = [];
  #isPaused = false;
  #hasEnded = false;
  #watch: Watch | undefined;
  #onSent: (() => void) | undefined;
  #tunnel: StreamSocket | undefined;
  #isOver = false;

  constructor(
    owner: Http2RequestOwner,
    stream: Stream,
    { head, headBytes }: { readonly head: RequestHead; readonly headBytes: number },
  ) {
    this.#owner = owner;
    this.connection = owner.connection;
    this.#stream = stream;
    this.headBytes = headBytes;
    this.#declaredBytes = head.framing.kind === 'length' ? head.framing.length : undefined;
    this.writer = new Http2ResponseWriter(stream);
    this.writer.isConnect = head.isWebSocket;
    this.#exchange = new Exchange(owner.core, this, head);
  }

  start(): void {
    this.#exchange.start(undefined);
  }

  get watch(): Watch {
    this.#watch ??= this.#owner.core.watchdog.watch(() => this.#onLate());
    return this.#watch;
  }

  createBodyDecoder(): BodyDecoder {
    return (this.#decoder ??= new UnframedDecoder());
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    if (this.#waiting.length > 0 || (this.#hasEnded && this.#decoder?.isDone !== true))
      process.nextTick(() => this.#deliver());
  }

  /** The stream has nothing after the body. */
  keep(): void {
    this.resume();
  }

  onData(bytes: Buffer): void {
    if (this.#tunnel !== undefined) return this.#tunnel.receive(bytes);
    this.#receivedBytes += bytes.length;
    if (this.#declaredBytes !== undefined && this.#receivedBytes > this.#declaredBytes)
      return this.#refuseMalformed();
    this.#waiting.push(bytes);
    if (!this.#isPaused) this.#deliver();
  }

  onEnd(trailers: HeaderList | undefined): void {
    if (this.#tunnel !== undefined) return this.#tunnel.receiveEnd();
    const isShort = this.#declaredBytes !== undefined && this.#receivedBytes < this.#declaredBytes;
    if (isShort || (trailers !== undefined && !areHttp2TrailersValid(trailers)))
      return this.#refuseMalformed();
    this.#hasEnded = true;
    if (!this.#isPaused) this.#deliver();
  }

  /** Too late for a refusal: a part of the body may have been judged or forwarded. */
  #refuseMalformed(): void {
    this.#stream.reset(errorCode.protocol);
    this.onReset();
    this.#owner.onMalformed();
  }

  #deliver(): void {
    // Data that arrives before a switch to WebSocket waits for it.
    const decoder = this.#decoder;
    if (this.#exchange.body === undefined || decoder === undefined) return;
    while (this.#waiting.length > 0 && !this.#isPaused && !this.#isOver) {
      const bytes = this.#waiting.shift()!;
      this.#stream.consume(bytes.length);
      this.#exchange.onClientData(bytes);
    }
    const isEnd = this.#hasEnded && this.#waiting.length === 0 && !decoder.isDone;
    if (!isEnd || this.#isPaused || this.#isOver) return;
    decoder.isDone = true;
    this.#exchange.body.push(nothing);
  }

  onReset(): void {
    if (this.#isOver) return;
    if (this.#tunnel !== undefined) {
      this.#end();
      this.#tunnel.destroy();
      return;
    }
    this.#end();
    this.#exchange.onClientGone();
  }

  onDrain(): void {
    if (this.#tunnel === undefined) this.#exchange.onClientDrain();
    else this.#tunnel.drain();
  }

  onSent(): void {
    const onSent = this.#onSent;
    this.#onSent = undefined;
    onSent?.();
    if (this.#tunnel !== undefined) this.#end();
  }

  whenSent(onSent: () => void): void {
    this.#onSent = onSent;
    this.#owner.onFinishing(this);
  }

  /** The end of the response could not be sent yet. */
  waitForClient(): void {
    if (this.#onSent !== undefined) this.#exchange.awaitReader();
  }

  finishExchange(): void {
    this.#end();
  }

  destroy(): void {
    if (this.#isOver) return;
    this.#stream.reset(errorCode.internal);
    this.onReset();
  }

  takeOver(): { readonly socket: Duplex; readonly early: Buffer | undefined } {
    const tunnel = new StreamSocket(this.#stream);
    this.#tunnel = tunnel;
    this.#watch?.pause();
    for (const bytes of this.#waiting) tunnel.receive(bytes);
    this.#waiting = [];
    if (this.#hasEnded) tunnel.receiveEnd();
    tunnel.once('close', () => this.#end());
    return { socket: tunnel, early: undefined };
  }

  #onLate(): void {
    if (this.#onSent !== undefined || this.#exchange.body?.isComplete !== false) this.#owner.onStall();
    this.#exchange.onClientLate();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#waiting = [];
    this.#watch?.end();
    this.#owner.onRequestEnd();
  }
}
