/**
 * One client's connection: heads are read from it one after the other, and each request is answered before the next is
 * parsed, whether or not it has already arrived.
 *
 * - A client that takes too long to send a head or a body, or to read a response, loses the connection; a trickle of
 *   bytes does not extend its time. While it must act, the connection can also be evicted for a newcomer
 *   (`admission/admission.ts`).
 * - After a refusal, nothing that follows on the connection is parsed as a request. The connection is closed, and
 *   further input is discarded for a moment, so that the client can read the response before the reset.
 * - A client that closes its side while its request is in progress has left: the request is cancelled.
 */
import type { Socket } from 'node:net';
import type { Peer } from '../wire/client-address.ts';
import { HeadCollector } from '../wire/head-collector.ts';
import { HeadMemory } from '../wire/head-memory.ts';
import { pipelinedBytesMax } from '../wire/limits.ts';
import type { ProxiedAddresses } from '../wire/connection/proxy-header.ts';
import { parseRequestHead } from '../wire/request/parse-request-head.ts';
import type { RequestHead } from '../wire/request/request-head.ts';
import { Refusal } from '../wire/refusal.ts';
import { createBodyDecoder } from '../wire/body/body-decoder.ts';
import { BatchedWriter } from './batched-writer.ts';
import { ConnectedClient } from './client-side/connected-client.ts';
import { Exchange } from './exchange.ts';
import type { ClientSide } from './exchange-sides.ts';
import type { Slot } from './admission/slot.ts';
import { SlotWatch } from './admission/slot-watch.ts';
import type { ProxyCore } from './proxy-core.ts';
import { refuseUnparsed } from './client-side/refuse-unparsed.ts';
import { Http1ResponseWriter } from './client-side/response-writer.ts';
import type { Watch } from './watchdog.ts';

export interface AdmittedSocket {
  readonly socket: Socket;
  readonly peer: Peer;
  readonly slot: Slot;
  /** The addresses that a load balancer reports; undefined if there is none, or it does not know them. */
  readonly addresses?: ProxiedAddresses | undefined;
}

type ClientConnectionState =
  /** Between requests; no byte of the next head has arrived. */
  | 'waiting'
  | 'head'
  | 'exchange'
  /** Everything is sent; further input is discarded. */
  | 'lingering'
  /** The socket was taken over, or is closed. */
  | 'ended';

/** The empty line that ends a head. */
const headEndBytes = 4;

export class ClientConnection implements ClientSide {
  readonly #core: ProxyCore;
  readonly #socket: Socket;
  readonly #collector: HeadCollector;
  readonly #memory = new HeadMemory<RequestHead>();
  readonly #onEnded: (connection: ClientConnection) => void;
  readonly connection: ConnectedClient;
  readonly writer: Http1ResponseWriter;
  readonly watch: Watch;
  headBytes = 0;
  #state: ClientConnectionState = 'waiting';
  #exchange: Exchange | undefined;
  /** Bytes that arrived after the request in progress. */
  #rest: Buffer | undefined;
  #isReadingHeads = false;
  #isNew = true;

  constructor(
    core: ProxyCore,
    { socket, peer, slot, addresses }: AdmittedSocket,
    onEnded: (connection: ClientConnection) => void,
  ) {
    this.#core = core;
    this.#socket = socket;
    this.#onEnded = onEnded;
    this.#collector = new HeadCollector(core.limits.headBytesMax);
    this.connection = new ConnectedClient(socket, peer, addresses);
    this.writer = new Http1ResponseWriter(new BatchedWriter(socket));
    this.watch = new SlotWatch(
      core.watchdog.watch(() => this.#onLate()),
      slot,
    );
    this.watch.within(core.timeouts.headMs);
    socket.on('data', (bytes: Buffer) => this.#onData(bytes));
    socket.on('end', () => this.#onEnd());
    // The close event that follows reports everything.
    socket.on('error', () => {});
    socket.on('close', () => this.#onClose());
    socket.on('drain', () => this.#exchange?.onClientDrain());
  }

  /** Whether no bytes have arrived yet. */
  get isNew(): boolean {
    return this.#isNew;
  }

  readonly createBodyDecoder = createBodyDecoder;

  /**
   * The socket has all that was written, and the watch of the next request closes the connection of a client that does
   * not read.
   */
  whenSent(onSent: () => void): void {
    onSent();
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Keeps the bytes that arrived after the body of the request in progress. */
  keep(rest: Buffer): void {
    if (rest.length > 0) this.#rest = rest;
    this.resume();
  }

  /** The response is written. */
  finishExchange(isLast: boolean): void {
    this.#exchange = undefined;
    if (isLast || this.#core.isClosing) return this.#linger();
    this.#state = 'waiting';
    this.watch.within(this.#core.timeouts.keepAliveMs);
    const rest = this.#rest;
    if (rest === undefined || this.#isReadingHeads) return this.resume();
    this.#rest = undefined;
    this.resume();
    this.#readHeads(rest);
  }

  /** Closes the connection if no request is in progress on it. */
  closeIfWaiting(): void {
    if (this.#state === 'waiting') this.#linger();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Returns the socket and the bytes that were already read from it; the connection no longer uses it. */
  takeOver(): { readonly socket: Socket; readonly early: Buffer | undefined } {
    for (const event of ['data', 'end', 'drain']) this.#socket.removeAllListeners(event);
    this.watch.pause();
    this.#exchange = undefined;
    this.#state = 'ended';
    return { socket: this.#socket, early: this.#rest };
  }

  #onData(bytes: Buffer): void {
    if (this.#state === 'waiting' || this.#state === 'head') return this.#readHeads(bytes);
    if (this.#state !== 'exchange') return;
    if (this.#exchange!.onClientData(bytes)) return;
    this.#rest = this.#rest === undefined ? bytes : Buffer.concat([this.#rest, bytes]);
    if (this.#rest.length > pipelinedBytesMax) this.pause();
  }

  /** Loops, because the bytes may contain further requests after one that is answered at once. */
  #readHeads(bytes: Buffer): void {
    this.#isReadingHeads = true;
    let rest: Buffer | undefined = bytes;
    while (rest !== undefined && (this.#state === 'waiting' || this.#state === 'head')) {
      this.#readHead(rest);
      rest = this.#state === 'waiting' ? this.#rest : undefined;
      if (rest !== undefined) this.#rest = undefined;
    }
    this.#isReadingHeads = false;
  }

  #readHead(bytes: Buffer): void {
    const isBegun = this.#state === 'head';
    this.#state = 'head';
    this.#isNew = false;
    const collected = this.#collector.push(bytes);
    if (collected === 'incomplete') {
      if (!isBegun) this.watch.within(this.#core.timeouts.headMs);
      return;
    }
    if (collected === 'too-large') {
      return this.#refuse(new Refusal('head_too_large', 'The head of the request is too large.'));
    }
    if (collected === 'bare-line-feed') {
      return this.#refuse(new Refusal('bad_header', 'A line ends without a carriage return.'));
    }
    const head = parseRequestHead(collected.text, this.#core.limits, this.#memory);
    if (head instanceof Refusal) return this.#refuse(head);
    this.#state = 'exchange';
    this.watch.pause();
    const rest = bytes.length === collected.restOffset ? undefined : bytes.subarray(collected.restOffset);
    this.headBytes = collected.text.length + headEndBytes;
    const exchange = new Exchange(this.#core, this, head);
    this.#exchange = exchange;
    exchange.start(rest);
  }

  /** Refuses before there is a request to answer. */
  #refuse(refusal: Refusal): void {
    refuseUnparsed(this.#core, this.connection.peer, this.writer, refusal);
    this.#linger();
  }

  #linger(): void {
    this.#state = 'lingering';
    this.#rest = undefined;
    const { writeStallMs, lingerMs } = this.#core.timeouts;
    this.watch.within(writeStallMs);
    this.#socket.end(() => this.watch.within(lingerMs));
    this.resume();
  }

  #onLate(): void {
    if (this.#state === 'head')
      this.#refuse(new Refusal('head_timeout', 'The head of the request took too long.'));
    else if (this.#state === 'exchange') this.#exchange!.onClientLate();
    else this.#socket.destroy();
  }

  #onEnd(): void {
    // Otherwise the socket closes by itself once everything is written.
    if (this.#state === 'exchange') this.#socket.destroy();
  }

  #onClose(): void {
    this.watch.end();
    this.#state = 'ended';
    this.#exchange?.onClientGone();
    this.#exchange = undefined;
    this.#onEnded(this);
  }
}
