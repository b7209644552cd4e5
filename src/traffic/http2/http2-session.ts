/**
 * The server's side of one HTTP/2 connection (RFC 9113), without a socket: bytes go in by `receive` and come out of
 * `produce`; requests go to the handler. The caller also provides the clock, so that every run can be repeated.
 *
 * - Nothing is pushed and priorities are ignored: data of all streams is sent in turns.
 * - A request is passed on when the fields of its head are decoded; the handler decides whether they are a valid
 *   request. Blocks are decoded to their end whatever happens to the stream, because the compression state of the
 *   connection needs it.
 * - Each thing that costs the server more than the client has a limit (`limits.ts`). A client that exceeds one loses
 *   the connection, with ENHANCE_YOUR_CALM.
 * - Limits hold from the first byte: they do not wait until the client has acknowledged the settings.
 */
import { Budget } from './budget.ts';
import { ConnectionError } from './connection-error.ts';
import { ControlQueue } from './frames/control-queue.ts';
import { FrameReader } from './frames/frame-reader.ts';
import {
  type ErrorCode,
  errorCode,
  frameFlag,
  frameType,
  initialWindowBytes,
  windowBytesMax,
} from './frames/frame-types.ts';
import { type HeaderBlock, HeaderBlocks } from './frames/header-blocks.ts';
import type { HeaderList } from './hpack/header-decoder.ts';
import { defaultHttp2Limits, type Http2Limit, type Http2Limits } from './limits.ts';
import { Output } from './frames/output.ts';
import { type ParsedFrame, parseFrame } from './frames/parse-frame.ts';
import { ReceiveWindow } from './receive-window.ts';
import { SendQueue } from './send-queue.ts';
import { createSettings, type PeerSettings } from './frames/settings.ts';
import { Stream, type StreamListener, type StreamOwner } from './stream.ts';

export interface ConnectionHandler {
  onRequest(stream: Stream, request: HeaderBlock): StreamListener;
  /** There is something to `produce`. */
  onOutput(): void;
  /** Called each time that a limit is exceeded, whether or not the connection continues. */
  onLimit(limit: Http2Limit): void;
  /** No stream is left, and no more will open: the connection can be closed when everything is sent. Called once. */
  onDone(): void;
}

interface ConnectionOptions {
  readonly handler: ConnectionHandler;
  readonly now: () => number;
  readonly limits?: Partial<Http2Limits>;
}

/** How much is produced at once, so that urgent frames are not far behind data that waits for the network. */
const producedBytesMax = 64 * 1024;

const shutdownPing = Buffer.from('gatehous', 'latin1');
const nothing = Buffer.alloc(0);
const output = new Output();

export class Http2Session implements StreamOwner {
  readonly #handler: ConnectionHandler;
  readonly #now: () => number;
  readonly #limits: Http2Limits;
  readonly #reader = new FrameReader();
  readonly #blocks: HeaderBlocks;
  readonly #control = new ControlQueue();
  readonly #sending: SendQueue;
  readonly #streams = new Map<number, Stream>();
  readonly #closed = new ClosedStreams();
  readonly #receiveWindow: ReceiveWindow;
  readonly #resets: Budget;
  readonly #controlFrames: Budget;
  #state: 'beginning' | 'open' | 'over' = 'beginning';
  #leaving: 'no' | 'announced' | 'refusing' = 'no';
  #isPeerLeaving = false;
  #isDone = false;
  #lastStreamId = 0;
  #requests = 0;
  #peerInitialWindow = initialWindowBytes;

  constructor({ handler, now, limits }: ConnectionOptions) {
    this.#handler = handler;
    this.#now = now;
    this.#limits = { ...defaultHttp2Limits, ...limits };
    const { resetsBurst, resetsPerSecond, controlFramesBurst, controlFramesPerSecond } = this.#limits;
    this.#blocks = new HeaderBlocks(this.#limits);
    this.#resets = new Budget(resetsBurst, resetsPerSecond, now());
    this.#controlFrames = new Budget(controlFramesBurst, controlFramesPerSecond, now());
    this.#receiveWindow = new ReceiveWindow(this.#limits.connectionWindowBytes);
    this.#sending = new SendQueue({
      onReady: () => handler.onOutput(),
      onSent: (bytes) => this.#controlFrames.earn(bytes / this.#limits.bytesPerWindowUpdate),
      onEnded: (stream, code) => {
        if (code !== undefined || stream.isRemoteEnded) this.#close(stream, code !== undefined);
        stream.listener?.onSent();
      },
    });
    this.#control.push(frameType.settings, 0, 0, createSettings(this.#limits));
    this.#control.pushWindowUpdate(0, this.#limits.connectionWindowBytes - initialWindowBytes);
  }

  get openStreams(): number {
    return this.#streams.size;
  }

  /** Whether the client must send the rest of its preface, or of a block of fields. */
  get isReadingHead(): boolean {
    return this.#state === 'beginning' || this.#blocks.isOpen;
  }

  get isOver(): boolean {
    return this.#state === 'over';
  }

  get hasOutput(): boolean {
    return !this.#sending.isEmpty || this.#control.bytes > 0;
  }

  receive(bytes: Buffer): void {
    try {
      this.#read(bytes);
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      this.#fail(error);
    }
  }

  #read(bytes: Buffer): void {
    if (this.isOver) return;
    this.#reader.push(bytes);
    for (let frame = this.#reader.next(); frame !== undefined && !this.isOver; frame = this.#reader.next()) {
      const parsed = parseFrame(frame);
      if (this.#state === 'beginning' && parsed.kind !== 'settings')
        throw ConnectionError.protocol('The first frame must be SETTINGS.');
      this.#state = 'open';
      this.#take(parsed);
    }
  }

  /** The bytes to send now. The rest follows with the next call; undefined if there is nothing to send. */
  produce(): readonly Buffer[] | undefined {
    this.#control.writeTo(output);
    this.#sending.writeTo(output, producedBytesMax);
    const pieces = output.take();
    return pieces.length === 0 ? undefined : pieces;
  }

  schedule(stream: Stream): void {
    this.#sending.schedule(stream);
  }

  consume(stream: Stream, bytes: number): void {
    // A closed stream returned its window when it closed.
    if (stream.isClosed) return;
    stream.unconsumedBytes -= bytes;
    this.#giveBack(bytes);
    const grown = stream.isRemoteEnded ? 0 : stream.receiveWindow.giveBack(bytes);
    if (grown > 0) this.#sendWindowUpdate(stream.id, grown);
  }

  #giveBack(bytes: number): void {
    const grown = this.#receiveWindow.giveBack(bytes);
    if (grown > 0) this.#sendWindowUpdate(0, grown);
  }

  #sendWindowUpdate(streamId: number, bytes: number): void {
    this.#control.pushWindowUpdate(streamId, bytes);
    this.#onControl();
  }

  #onControl(): void {
    if (this.#control.bytes > this.#limits.unreadControlBytesMax)
      this.#fail(ConnectionError.tooMuch('unread_answers'));
    this.#handler.onOutput();
  }

  reset(stream: Stream, code: ErrorCode): void {
    this.#control.pushReset(stream.id, code);
    this.#close(stream, true);
    this.#onControl();
  }

  /** Resets a stream because of an action of the client, and notifies its listener. */
  #resetForced(stream: Stream, code: ErrorCode): void {
    this.reset(stream, code);
    stream.listener?.onReset();
    this.countForcedReset();
  }

  /** The client has made the server reset a stream. The handler calls it for requests that it refuses as malformed. */
  countForcedReset(): void {
    if (!this.#resets.spend(this.#now())) this.#fail(ConnectionError.tooMuch('forced_resets'));
  }

  #close(stream: Stream, isOurReset: boolean): void {
    stream.close();
    this.#streams.delete(stream.id);
    this.#closed.add(stream.id, isOurReset);
    if (stream.unconsumedBytes > 0) this.#giveBack(stream.unconsumedBytes);
    stream.unconsumedBytes = 0;
    this.#checkDone();
  }

  #checkDone(): void {
    const isLeaving = this.#leaving === 'refusing' || this.#isPeerLeaving || this.isOver;
    if (!isLeaving || this.#streams.size > 0 || this.#isDone) return;
    this.#isDone = true;
    this.#handler.onDone();
  }

  /**
   * Asks the client to open no more streams here. Streams in transit are still served: until the client has answered,
   * or until `finishShutdown` is called.
   */
  shutdown(): void {
    if (this.#leaving !== 'no' || this.isOver) return;
    this.#leaving = 'announced';
    this.#control.pushGoaway(windowBytesMax, errorCode.none, '');
    this.#control.push(frameType.ping, 0, 0, shutdownPing);
    this.#onControl();
  }

  /** Further streams are not served. */
  finishShutdown(): void {
    if (this.#leaving === 'refusing' || this.isOver) return;
    this.#leaving = 'refusing';
    this.#control.pushGoaway(this.#lastStreamId, errorCode.none, '');
    this.#onControl();
    this.#checkDone();
  }

  /** The socket has closed: every stream is notified. */
  abandon(): void {
    if (this.isOver) return;
    this.#state = 'over';
    this.#endStreams();
  }

  #endStreams(): void {
    const streams = [...this.#streams.values()];
    this.#streams.clear();
    this.#sending.clear();
    for (const stream of streams) {
      stream.close();
      stream.listener?.onReset();
    }
  }

  /** Nothing more is read, and only this error is sent. */
  #fail({ code, limit, message }: ConnectionError): void {
    if (this.isOver) return;
    this.#handler.onLimit(limit);
    this.#control.clear();
    this.#control.pushGoaway(this.#lastStreamId, code, message);
    this.#state = 'over';
    this.#endStreams();
    this.#handler.onOutput();
    this.#checkDone();
  }

  #take(frame: ParsedFrame): void {
    const block = this.#blocks.push(frame);
    if (block !== undefined) return this.#takeBlock(block);
    switch (frame.kind) {
      case 'data':
        return this.#takeData(frame);
      case 'priority':
        return this.#takePriority(frame.streamId, frame.isWhole);
      case 'reset':
        return this.#takeReset(frame.streamId);
      case 'settings':
        return this.#takeSettings(frame.settings);
      case 'ping':
        return this.#takePing(frame.payload, frame.isAnswer);
      case 'window':
        return this.#takeWindow(frame.streamId, frame.bytes);
      case 'goaway':
        this.#spend('unknown_frames');
        this.#isPeerLeaving = true;
        return this.#checkDone();
      case 'unknown':
        return this.#spend('unknown_frames');
    }
  }

  /** Throws if the client has sent too many frames that carry no request. */
  #spend(limit: Http2Limit): void {
    if (!this.#controlFrames.spend(this.#now())) throw ConnectionError.tooMuch(limit);
  }

  #takeData({ streamId, body, length, isEnd }: ParsedFrame & { kind: 'data' }): void {
    if (body.length === 0 && !isEnd) this.#spend('empty_data');
    if (!this.#receiveWindow.take(length)) throw ConnectionError.window();
    const stream = this.#streams.get(streamId);
    if (stream === undefined || stream.isRemoteEnded) {
      this.#giveBack(length);
      return stream === undefined
        ? this.#takeForClosed(streamId)
        : this.#resetForced(stream, errorCode.streamClosed);
    }
    stream.unconsumedBytes += length;
    if (!stream.receiveWindow.take(length)) return this.#resetForced(stream, errorCode.flowControl);
    if (isEnd) stream.isRemoteEnded = true;
    if (length > body.length) this.consume(stream, length - body.length);
    if (body.length > 0) stream.listener!.onData(body);
    if (isEnd) this.#endRemotely(stream, undefined);
  }

  #endRemotely(stream: Stream, trailers: HeaderList | undefined): void {
    if (stream.isClosed) return;
    stream.listener!.onEnd(trailers);
    if (stream.isLocalEnded && !stream.isClosed) this.#close(stream, false);
  }

  /** A part of a request, for a stream that is not open. */
  #takeForClosed(streamId: number): void {
    this.#requireOpened(streamId);
    const isOurReset = this.#closed.isOurReset(streamId);
    if (isOurReset === undefined) throw ConnectionError.protocol('The numbers of streams must grow.');
    // The client may not have received our reset.
    if (!isOurReset) throw ConnectionError.streamClosed();
  }

  #requireOpened(streamId: number): void {
    if (streamId > this.#lastStreamId || streamId % 2 === 0)
      throw ConnectionError.protocol('The stream is not open.');
  }

  #takeBlock(block: HeaderBlock): void {
    const { streamId, list, isEnd } = block;
    if (list.isTooLarge) this.#handler.onLimit('header_list');
    const stream = this.#streams.get(streamId);
    if (stream === undefined)
      return streamId > this.#lastStreamId ? this.#open(block) : this.#takeForClosed(streamId);
    if (stream.isRemoteEnded) return this.#resetForced(stream, errorCode.streamClosed);
    // Trailers must end the stream.
    if (!isEnd) return this.#resetForced(stream, errorCode.protocol);
    stream.isRemoteEnded = true;
    this.#endRemotely(stream, list);
  }

  #open(block: HeaderBlock): void {
    const { streamId } = block;
    this.#lastStreamId = streamId;
    // The last GOAWAY lets the client know that it was not served.
    if (this.#leaving === 'refusing') return this.#closed.add(streamId, true);
    const { concurrentStreamsMax, requestsPerConnectionMax } = this.#limits;
    const stream = new Stream(streamId, this, this.#limits, this.#peerInitialWindow);
    if (this.#streams.size >= concurrentStreamsMax) {
      this.#handler.onLimit('streams');
      this.reset(stream, errorCode.refusedStream);
      return this.countForcedReset();
    }
    stream.isRemoteEnded = block.isEnd;
    this.#streams.set(streamId, stream);
    if (++this.#requests >= requestsPerConnectionMax) this.shutdown();
    stream.listener = this.#handler.onRequest(stream, block);
  }

  #takePriority(streamId: number, isWhole: boolean): void {
    this.#spend('priority');
    if (isWhole) return;
    const stream = this.#streams.get(streamId);
    if (stream === undefined) throw ConnectionError.frameSize();
    this.#resetForced(stream, errorCode.frameSize);
  }

  #takeReset(streamId: number): void {
    this.#requireOpened(streamId);
    const stream = this.#streams.get(streamId);
    if (stream !== undefined) {
      this.#close(stream, false);
      stream.listener?.onReset();
    }
    if (!this.#resets.spend(this.#now())) throw ConnectionError.tooMuch('resets');
  }

  #takeSettings({ headerTableSize, initialWindowSize }: PeerSettings): void {
    this.#spend('settings');
    if (headerTableSize !== undefined) this.#sending.encoder.resize(headerTableSize);
    if (initialWindowSize !== undefined) this.#resizeWindows(initialWindowSize);
    this.#control.push(frameType.settings, frameFlag.ack, 0, nothing);
    this.#onControl();
  }

  #resizeWindows(bytes: number): void {
    const change = bytes - this.#peerInitialWindow;
    this.#peerInitialWindow = bytes;
    for (const stream of this.#streams.values()) {
      stream.sendWindow += change;
      if (stream.sendWindow > windowBytesMax) throw ConnectionError.window();
      if (change > 0) this.schedule(stream);
    }
  }

  #takePing(payload: Buffer, isAnswer: boolean): void {
    this.#spend('ping');
    if (isAnswer) {
      if (this.#leaving === 'announced' && payload.equals(shutdownPing)) this.finishShutdown();
      return;
    }
    this.#control.push(frameType.ping, frameFlag.ack, 0, payload);
    this.#onControl();
  }

  #takeWindow(streamId: number, bytes: number): void {
    this.#spend('window_update');
    if (streamId === 0 && bytes === 0) throw ConnectionError.protocol('A window grows by at least one byte.');
    if (streamId === 0 && this.#sending.growWindow(bytes) > windowBytesMax) throw ConnectionError.window();
    if (streamId === 0) return;
    const stream = this.#streams.get(streamId);
    if (stream === undefined) return this.#requireOpened(streamId);
    if (bytes === 0) return this.#resetForced(stream, errorCode.protocol);
    stream.sendWindow += bytes;
    if (stream.sendWindow > windowBytesMax) return this.#resetForced(stream, errorCode.flowControl);
    this.schedule(stream);
  }
}

/** How the most recent streams of a connection ended: frames for them may still be in transit. */

const countMax = 64;

class ClosedStreams {
  readonly #isOurReset = new Map<number, boolean>();

  add(streamId: number, isOurReset: boolean): void {
    this.#isOurReset.set(streamId, isOurReset);
    if (this.#isOurReset.size <= countMax) return;
    const [oldest] = this.#isOurReset.keys();
    this.#isOurReset.delete(oldest!);
  }

  /** Whether our reset closed it, which the client may not have received yet; undefined if it is not remembered. */
  isOurReset(streamId: number): boolean | undefined {
    return this.#isOurReset.get(streamId);
  }
}
