/**
 * One end of a socket on the network.
 *
 * Promises:
 * - a close frame of the other end is answered only when `close` is called, so that an object may still send;
 * - pings are answered here, without involving other code;
 * - frames that violate the protocol are answered with the documented code, and the connection closes;
 * - the data that waits to be written is bounded: a reader that is too slow is disconnected;
 * - a peer that does not answer a close frame is disconnected after a while.
 */
import type { Socket } from 'node:net';
import { clearTimeout, setTimeout } from 'node:timers';
import {
  closeMsMax,
  closeReasonBytesMax,
  compressBytesMin,
  fragmentsMax,
  keepAliveMs,
  messageBytesMax,
  retireMsMax,
  unreadBytesMax,
} from '../limits.ts';
import { type Data, type Receiver, restartCode, type Transport } from '../transport.ts';
import type { Negotiated } from './deflate.ts';
import {
  createFrameReader,
  createFrameWriter,
  deflateName,
  type MessageReceiver,
  type MessageSender,
  writeClose,
} from './framing.ts';
import { describeViolation } from './violations.ts';

export interface ConnectionParts {
  readonly socket: Socket;
  /** Data read after the handshake. */
  readonly head: Buffer;
  readonly isServer: boolean;
  readonly negotiated: Negotiated | undefined;
  readonly protocol: string;
}

/** Open connections of clients, to be closed when the program ends. */
const serverConnections = new Set<NetworkTransport>();

export class NetworkTransport implements Transport {
  readonly protocol: string;
  readonly extensions: string;
  readonly #socket: Socket;
  readonly #reader: MessageReceiver;
  readonly #writer: MessageSender;
  readonly #isServer: boolean;
  readonly #compresses: boolean;
  #head: Buffer | undefined;
  #receiver: Receiver | undefined;
  #isPaused = false;
  #isClosedHere = false;
  #isClosedThere = false;
  /** The end of the connection must not be reported any more. */
  #isOver = false;
  #deadline: NodeJS.Timeout | undefined;

  constructor({ socket, head, isServer, negotiated, protocol }: ConnectionParts) {
    this.protocol = protocol;
    this.extensions = negotiated?.header ?? '';
    this.#socket = socket;
    this.#isServer = isServer;
    this.#compresses = negotiated !== undefined;
    const extensions = negotiated === undefined ? {} : { [deflateName]: negotiated.deflate };
    this.#reader = createFrameReader({
      isServer,
      extensions,
      maxPayload: messageBytesMax,
      maxFragments: fragmentsMax,
      maxBufferedChunks: fragmentsMax,
      skipUTF8Validation: true,
    });
    this.#writer = createFrameWriter(socket, extensions);
    this.#head = head.length === 0 ? undefined : head;
    socket.setTimeout(0);
    socket.setNoDelay(true);
    // The kernel detects a client that vanished without closing.
    socket.setKeepAlive(true, keepAliveMs);
    socket.on('error', ignore);
    socket.on('close', this.#onSocketClose);
    if (isServer) serverConnections.add(this);
  }

  start(receiver: Receiver): void {
    this.#receiver = receiver;
    const reader = this.#reader;
    reader.on('message', (data: Buffer, isBinary: boolean) =>
      this.#receiver!.message(isBinary ? toBytes(data) : data.toString()),
    );
    reader.on('conclude', this.#onConclude);
    reader.on('ping', this.#onPing);
    reader.on('error', this.#onViolation);
    reader.on('drain', () => {
      if (!this.#isPaused) this.#socket.resume();
    });
    if (this.#socket.destroyed) return this.#onSocketClose();
    this.#socket.on('data', this.#onData);
    this.#socket.on('end', this.#onEnd);
    if (this.#head !== undefined) this.#onData(this.#head);
    this.#head = undefined;
    if (!this.#isPaused) this.#socket.resume();
  }

  send(data: Data): void {
    if (!this.#isWritable()) return;
    const compress = this.#compresses && data.length >= compressBytesMin;
    this.#writer.send(data, { binary: typeof data !== 'string', compress, fin: true, mask: !this.#isServer });
  }

  close(code: number | undefined, reason: string): void {
    if (!this.#isWritable()) return;
    this.#isClosedHere = true;
    writeClose(this.#socket, this.#writer, { code, reason: shorten(reason), mask: !this.#isServer });
    this.#endIfDone();
    this.#setDeadline();
  }

  cut(): void {
    this.#isOver = true;
    // A close frame that is still queued goes first: it contains the reason.
    if (this.#isClosedHere) this.#socket.end();
    else this.#socket.destroy();
  }

  fail(): void {
    this.cut();
  }

  pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#socket.resume();
  }

  /** The program ends or restarts: asks the client to reconnect, without an event at this end. */
  retire(): void {
    if (!this.#isClosedHere) this.close(restartCode, 'Service Restart');
    this.#isOver = true;
    this.#socket.resume();
  }

  /** Whether nothing more waits to be written. */
  get isFlushed(): boolean {
    return this.#socket.writableLength === 0;
  }

  /** Closes the connection without waiting for an answer to its close frame. */
  abandon(): void {
    this.#isOver = true;
    this.#socket.destroySoon();
  }

  get closed(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#socket.destroyed) resolve();
    else this.#socket.once('close', () => resolve());
    return promise;
  }

  readonly #onData = (chunk: Buffer): void => {
    if (!this.#reader.write(chunk)) this.#socket.pause();
  };

  readonly #onPing = (data: Buffer): void => {
    if (this.#isWritable()) this.#writer.pong(data, !this.#isServer);
  };

  readonly #onConclude = (code: number, reason: Buffer): void => {
    this.#isClosedThere = true;
    this.#discardRest();
    if (!this.#isOver) this.#receiver!.closed(code, reason.toString());
    this.#endIfDone();
    if (!this.#isClosedHere && this.#isOver) this.#socket.destroy();
  };

  readonly #onViolation = (error: NodeJS.ErrnoException): void => {
    const { code, description } = describeViolation(error, this.#reader._totalPayloadLength);
    this.#discardRest();
    if (!this.#isOver) {
      this.close(code, description);
      this.#isOver = true;
      this.#receiver!.failed(
        new Error(
          `WebSocket protocol error; protocolError.statusCode = ${code}; protocolError.description = ${description}`,
        ),
      );
    }
    this.#isClosedThere = true;
    this.#endIfDone();
  };

  /** The client will send no more data; without a close frame, the connection is lost. */
  readonly #onEnd = (): void => {
    if (!this.#isClosedThere || this.#isClosedHere) this.#socket.destroy();
  };

  readonly #onSocketClose = (): void => {
    clearTimeout(this.#deadline);
    serverConnections.delete(this);
    if (this.#receiver === undefined) return;
    this.#reader.destroy();
    if (!this.#isOver && !(this.#isClosedHere && this.#isClosedThere)) {
      this.#isOver = true;
      this.#receiver.lost();
    }
  };

  #isWritable(): boolean {
    if (this.#isClosedHere || this.#isOver || !this.#socket.writable) return false;
    if (this.#socket.writableLength + this.#writer._bufferedBytes <= unreadBytesMax) return true;
    this.#socket.destroy();
    return false;
  }

  #discardRest(): void {
    this.#socket.off('data', this.#onData);
    this.#socket.resume();
  }

  #endIfDone(): void {
    if (this.#isClosedHere && this.#isClosedThere) this.#socket.end();
  }

  #setDeadline(): void {
    this.#deadline ??= setTimeout(() => this.#socket.destroy(), closeMsMax).unref();
  }
}

/** The number of open client sockets in this process. */
export function countConnections(): number {
  return serverConnections.size;
}

/**
 * Asks the clients of this process to reconnect. Resolves when their connections are closed: within `graceMs` they can
 * read pending data, and they have `retireMsMax` to answer.
 */
export async function retireConnections({ graceMs }: { readonly graceMs: number }): Promise<void> {
  const all = [...serverConnections];
  for (const connection of all) connection.retire();
  const { promise, resolve } = Promise.withResolvers<void>();
  const abandonFlushed = (): void => {
    for (const connection of all) if (connection.isFlushed) connection.abandon();
  };
  const timers = [setTimeout(abandonFlushed, Math.min(retireMsMax, graceMs)), setTimeout(resolve, graceMs)];
  await Promise.race([Promise.all(all.map(({ closed }) => closed)), promise]);
  for (const timer of timers) clearTimeout(timer);
  for (const connection of all) connection.abandon();
}

/** Small messages are slices of a larger buffer, which a receiver would keep alive. */
function toBytes(data: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(data);
}

function shorten(reason: string): string {
  if (Buffer.byteLength(reason) <= closeReasonBytesMax) return reason;
  return new TextDecoder().decode(Buffer.from(reason).subarray(0, closeReasonBytesMax), { stream: true });
}

function ignore(): void {}
