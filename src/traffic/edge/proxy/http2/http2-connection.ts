/**
 * A client's HTTP/2 connection: joins a socket and a connection of the room `http2`, and creates an exchange for each
 * request. All output of one turn of the event loop leaves as one write, responses of several streams together.
 *
 * - A client loses the connection if it takes too long for its preface or for a block of fields, or if it has no
 *   request in progress for too long; control frames do not extend its time.
 * - At shutdown the client is notified, and requests in progress are served.
 */
import type { Socket } from 'node:net';
import {
  Http2Session,
  type ConnectionHandler,
  type HeaderBlock,
  type Stream,
  type StreamListener,
} from '#http2';
import { firstRequestMs } from '../../wire/limits.ts';
import { Refusal } from '../../wire/refusal.ts';
import { countHttp2Fields, parseHttp2Head } from '../../wire/http2/parse-http2-head.ts';
import { SlotWatch } from '../admission/slot-watch.ts';
import { ConnectedClient } from '../client-side/connected-client.ts';
import type { AdmittedSocket } from '../client-connection.ts';
import type { ProxyCore } from '../proxy-core.ts';
import { refuseUnparsed } from '../client-side/refuse-unparsed.ts';
import type { Watch } from '../watchdog.ts';
import { type Http2RequestOwner, Http2Request } from './http2-request.ts';
import { Http2ResponseWriter } from './http2-response-writer.ts';

type Http2ConnectionState =
  /** The client must send the rest of its preface or of a block. */
  | 'head'
  | 'busy'
  | 'idle'
  /** Everything is sent; further input is discarded. */
  | 'lingering'
  | 'ended';

/** Ignores what a refused request still sends. */
const noListener: StreamListener = { onData() {}, onEnd() {}, onReset() {}, onDrain() {}, onSent() {} };

export class Http2Connection implements Http2RequestOwner, ConnectionHandler {
  readonly core: ProxyCore;
  readonly connection: ConnectedClient;
  readonly #socket: Socket;
  readonly #session: Http2Session;
  readonly #watch: Watch;
  readonly #onEnded: (connection: Http2Connection) => void;
  readonly #finishing = new Set<Http2Request>();
  #state: Http2ConnectionState = 'head';
  #requests = 0;
  #isFlushing = false;
  #isDone = false;
  /** It can be asked to close at any time. */
  readonly isNew = false;

  constructor(
    core: ProxyCore,
    { socket, peer, slot, addresses }: AdmittedSocket,
    onEnded: (connection: Http2Connection) => void,
  ) {
    this.core = core;
    this.connection = new ConnectedClient(socket, peer, addresses);
    this.#socket = socket;
    this.#onEnded = onEnded;
    this.#watch = new SlotWatch(
      core.watchdog.watch(() => this.#onLate()),
      slot,
    );
    this.#watch.within(core.timeouts.headMs);
    this.#session = new Http2Session({
      handler: this,
      now: () => core.watchdog.now(),
      limits: {
        headerListBytesMax: core.limits.headBytesMax,
        headerCountMax: countHttp2Fields(core.limits.headerCountMax),
      },
    });
    socket.on('data', (bytes: Buffer) => this.#onData(bytes));
    socket.on('end', () => socket.destroy());
    // The close event that follows reports everything.
    socket.on('error', () => {});
    socket.on('close', () => this.#onClose());
    socket.on('drain', () => this.#flush());
    this.onOutput();
    if (core.isClosing) this.closeIfWaiting();
  }

  /** Asks the client to close the connection. */
  closeIfWaiting(): void {
    this.#session.shutdown();
    const watch = this.core.watchdog.watch(() => {
      watch.end();
      this.#session.finishShutdown();
    });
    watch.within(firstRequestMs);
    this.#socket.once('close', () => watch.end());
  }

  onRequest(stream: Stream, block: HeaderBlock): StreamListener {
    const head = parseHttp2Head(block, this.connection.isTls ? 'https' : 'http', this.core.limits);
    if (head instanceof Refusal) {
      const writer = new Http2ResponseWriter(stream);
      writer.isMalformed = head.status === 400;
      refuseUnparsed(this.core, this.connection.peer, writer, head);
      this.#session.countForcedReset();
      return noListener;
    }
    this.#requests++;
    const request = new Http2Request(this, stream, { head, headBytes: block.receivedBytes });
    // The listener is set before any event of the stream can arrive.
    stream.listener = request;
    request.start();
    return request;
  }

  onOutput(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    setImmediate(() => {
      this.#isFlushing = false;
      this.#flush();
    });
  }

  onLimit(limit: Parameters<ConnectionHandler['onLimit']>[0]): void {
    this.core.noteHttp2Limit(limit);
  }

  onDone(): void {
    this.#isDone = true;
    this.onOutput();
  }

  onFinishing(request: Http2Request): void {
    this.#finishing.add(request);
  }

  onStall(): void {
    this.core.noteHttp2Limit('write_stall');
  }

  onMalformed(): void {
    this.#session.countForcedReset();
  }

  onRequestEnd(): void {
    this.#requests--;
    this.#changeState();
  }

  #onData(bytes: Buffer): void {
    if (this.#state === 'lingering' || this.#state === 'ended') return;
    this.#session.receive(bytes);
    this.#changeState();
  }

  /** A deadline starts when the state changes, so that later input of the client does not extend it. */
  #changeState(): void {
    if (this.#state === 'lingering' || this.#state === 'ended') return;
    const state = this.#session.isReadingHead ? 'head' : this.#requests > 0 ? 'busy' : 'idle';
    if (state === this.#state) return;
    this.#state = state;
    const { headMs, keepAliveMs } = this.core.timeouts;
    if (state === 'busy') this.#watch.pause();
    else this.#watch.within(state === 'head' ? headMs : keepAliveMs);
  }

  /** Data waits in the streams while the socket's buffer is full. */
  #flush(): void {
    const socket = this.#socket;
    if (socket.destroyed) return;
    while (!socket.writableNeedDrain) {
      const pieces = this.#session.produce();
      if (pieces === undefined) break;
      if (pieces.length === 1) socket.write(pieces[0]!);
      else {
        socket.cork();
        for (const piece of pieces) socket.write(piece);
        socket.uncork();
      }
    }
    for (const request of this.#finishing) request.waitForClient();
    this.#finishing.clear();
    if (this.#isDone && !this.#session.hasOutput) this.#linger();
  }

  #linger(): void {
    if (this.#state === 'lingering' || this.#state === 'ended') return;
    this.#state = 'lingering';
    const { writeStallMs, lingerMs } = this.core.timeouts;
    this.#watch.within(writeStallMs);
    this.#socket.end(() => this.#watch.within(lingerMs));
  }

  #onLate(): void {
    if (this.#state === 'head') this.core.noteHttp2Limit('preface_timeout');
    this.#socket.destroy();
  }

  #onClose(): void {
    this.#watch.end();
    this.#state = 'ended';
    this.#session.abandon();
    this.#onEnded(this);
  }
}
