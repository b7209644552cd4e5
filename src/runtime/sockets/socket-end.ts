/**
 * The platform's state of one end of a socket: its user, which ends have closed, its attachment. The object that code
 * holds (`WebSocket`) is discarded and recreated by hibernation; this exists as long as the connection.
 *
 * Invariants:
 * - An end has one permanent use: accepted, accepted with hibernation, or passed on in a response.
 * - Outgoing messages pass the output gate of its owner, incoming ones the input gate.
 */
import { encodeValue, decodeValue } from '#values';
import { arrivedBytesMax, attachmentBytesMax, closeReasonBytesMax } from './limits.ts';
import { currentOwner, type SocketOwner } from './owner.ts';
import { socketSettings } from './settings.ts';
import type { Data, Receiver, Transport } from './transport.ts';

export type SocketUse = 'none' | 'connecting' | 'accepted' | 'hibernatable' | 'passed';

export const readyStates = { connecting: 0, open: 1, closing: 2, closed: 3 } as const;

export class SocketEnd {
  readonly url: string | null;
  protocol: string | null = '';
  extensions: string | null = '';
  use: SocketUse = 'none';
  /** The other end of the pair, until this one has a use. */
  partner: SocketEnd | undefined;
  attachment: Uint8Array | undefined;
  #transport: Transport | undefined;
  #owner: SocketOwner | undefined;
  #isClosedHere = false;
  #isClosedThere = false;
  #isOver: 'no' | 'lost' | 'failed' = 'no';
  #arrivedBytes = 0;
  #isPaused = false;

  constructor(transport: Transport | undefined, url: string | null = null) {
    this.url = url;
    if (transport === undefined) this.use = 'connecting';
    else this.connect(transport);
  }

  connect(transport: Transport): void {
    this.#transport = transport;
    this.protocol = transport.protocol;
    this.extensions = transport.extensions;
  }

  get readyState(): number {
    if (this.#owner !== undefined) this.claim();
    if (this.use === 'connecting' && this.#isOver === 'no') return readyStates.connecting;
    if (this.#isOver === 'failed' || (this.#isClosedHere && this.#isClosedThere)) return readyStates.closed;
    return this.#isClosedHere || this.#isClosedThere ? readyStates.closing : readyStates.open;
  }

  get owner(): SocketOwner {
    return this.#owner ?? this.claim();
  }

  /** Whether both ends have closed, or the connection is lost. */
  get isDone(): boolean {
    return this.#isOver !== 'no' || (this.#isClosedHere && this.#isClosedThere);
  }

  get isClosedHere(): boolean {
    return this.#isClosedHere;
  }

  /** Whether it is unused: it can still be accepted or passed on. */
  get isUnused(): boolean {
    return this.use === 'none';
  }

  /** From the first use on, an end belongs to its user. */
  claim(): SocketOwner {
    const current = currentOwner();
    this.#owner ??= current;
    if (this.#owner.life !== current.life) throw foreignError(this.#owner.life !== undefined);
    return this.#owner;
  }

  /** The object was woken again: its sockets now belong to its next life. */
  handTo(owner: SocketOwner): void {
    this.#owner = owner;
  }

  start(receiver: Receiver): void {
    this.#transport?.start(receiver);
  }

  /** Returns the transport, for the side that the end is passed on to; undefined if it was used before. */
  pass(): Transport | undefined {
    if (this.use !== 'none') return undefined;
    this.use = 'passed';
    this.partner = undefined;
    return this.#transport;
  }

  send(data: Data): void {
    const owner = this.claim();
    if (this.use === 'passed' || this.#isOver === 'lost') return;
    this.#requireUse();
    if (this.#isClosedHere) throw new TypeError("Can't call WebSocket send() after close().");
    if (this.#isOver === 'no') owner.say(() => this.#transport?.send(data));
  }

  close(code: number | undefined, reason: string | undefined): void {
    this.claim();
    checkClose(code, reason);
    if (this.use === 'connecting') return this.fail();
    if (this.use === 'passed') return;
    this.#requireUse();
    if (this.#isOver === 'no') this.sendClose(code, reason ?? '');
  }

  sendClose(code: number | undefined, reason: string): void {
    if (this.#isClosedHere) return;
    this.#isClosedHere = true;
    this.owner.say(() => this.#transport?.close(code, reason));
  }

  /** The other end has sent its close frame. */
  noteClosedThere(): void {
    this.#isClosedThere = true;
  }

  noteClosedHere(): void {
    this.#isClosedHere = true;
  }

  noteLost(): void {
    if (this.#isOver === 'no') this.#isOver = 'lost';
  }

  /** Closes the connection at once, because of this end. */
  fail(): void {
    this.#isOver = 'failed';
    this.cut();
  }

  cut(): void {
    this.#transport?.cut();
  }

  /** Sends without a gate: the message depends on nothing that the owner has done. */
  sendAtOnce(data: Data): void {
    if (!this.#isClosedHere && this.#isOver === 'no') this.#transport?.send(data);
  }

  /** The owner restarts: asks the other end to reconnect. */
  restart(code: number, reason: string): void {
    if (!this.#isClosedHere && this.#isOver === 'no') this.#transport?.close(code, reason);
    this.fail();
  }

  /** Passes an event to the owner; while too many bytes wait for it, reading pauses. */
  arrive(bytes: number, deliver: (begin: () => void) => void): void {
    this.#arrivedBytes += bytes;
    if (this.#arrivedBytes > arrivedBytesMax && !this.#isPaused) {
      this.#isPaused = true;
      this.#transport?.pause();
    }
    deliver(() => {
      this.#arrivedBytes -= bytes;
      if (!this.#isPaused || this.#arrivedBytes > arrivedBytesMax) return;
      this.#isPaused = false;
      this.#transport?.resume();
    });
  }

  attach(value: unknown): void {
    const bytes = encodeValue(value);
    if (bytes.length > attachmentBytesMax) {
      throw new Error(
        `A WebSocket 'attachment' cannot be larger than ${attachmentBytesMax} bytes.'attachment' was ${bytes.length} bytes.`,
      );
    }
    this.attachment = bytes.slice();
  }

  readAttachment(): unknown {
    return this.attachment === undefined ? null : decodeValue(this.attachment);
  }

  #requireUse(): void {
    if (this.use === 'accepted' || this.use === 'hibernatable') return;
    throw new TypeError(
      'You must call one of accept() or state.acceptWebSocket() on this WebSocket before sending messages.',
    );
  }
}

function checkClose(code: number | undefined, reason: string | undefined): void {
  if (code !== undefined) {
    const isReserved = code === 1004 || code === 1005 || code === 1006 || code === 1015;
    if (code < 1000 || code > 4999 || isReserved) {
      throw new DOMException(`Invalid WebSocket close code: ${code}.`, 'InvalidAccessError');
    }
  } else if (reason !== undefined) {
    throw new DOMException(
      'If you specify a WebSocket close reason, you must also specify a code.',
      'InvalidAccessError',
    );
  }
  if (socketSettings().limitsCloseReason && Buffer.byteLength(reason ?? '') > closeReasonBytesMax) {
    throw new DOMException(
      `WebSocket close reason must not be longer than ${closeReasonBytesMax} bytes when UTF-8 encoded.`,
      'SyntaxError',
    );
  }
}

function foreignError(isOfObject: boolean): Error {
  const [what, created] = isOfObject
    ? [
        'a different Durable Object',
        'one Durable Object cannot be accessed from a different Durable Object in the same isolate',
      ]
    : ['a different request', "one request handler cannot be accessed from a different request's handler"];
  return new Error(
    `Cannot perform I/O on behalf of ${what}. I/O objects (such as streams, request/response bodies, and others) ` +
      `created in the context of ${created}. This is a limitation of Cloudflare Workers which allows us to improve overall performance.`,
  );
}
