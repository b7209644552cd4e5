/**
 * The connection of `wrangler tail`: a WebSocket that is mainly written to. Pings of the client are answered and a
 * close ends it; its first frame is not masked, which other parsers of frames refuse, so this one accepts both.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

const acceptSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Messages of the client are short. */
const frameBytesMax = 64 * 1024;

/** Bytes that a client has not read yet; beyond that, events and answers to pings are dropped. */
const waitingBytesMax = 1024 * 1024;

const opcodes = { text: 1, close: 8, ping: 9, pong: 10 } as const;

export class TailSocket {
  readonly #socket: Duplex;
  readonly #onEnd: () => void;
  #received = Buffer.alloc(0);
  #hasEnded = false;

  constructor(incoming: IncomingMessage, socket: Duplex, head: Buffer, onEnd: () => void) {
    this.#socket = socket;
    this.#onEnd = onEnd;
    const key = String(incoming.headers['sec-websocket-key'] ?? '');
    const accept = createHash('sha1').update(`${key}${acceptSuffix}`).digest('base64');
    const asked = String(incoming.headers['sec-websocket-protocol'] ?? '')
      .split(',', 1)[0]!
      .trim();
    socket.write(
      [
        'HTTP/1.1 101 Switching Protocols',
        'Upgrade: websocket',
        'Connection: Upgrade',
        `Sec-WebSocket-Accept: ${accept}`,
        ...(/^[\w.-]{1,40}$/.test(asked) ? [`Sec-WebSocket-Protocol: ${asked}`] : []),
        '\r\n',
      ].join('\r\n'),
    );
    socket.on('error', () => this.#end());
    socket.on('close', () => this.#end());
    // Sockets of an HTTP server stay half open until this side ends them as well.
    socket.on('end', () => {
      socket.destroy();
      this.#end();
    });
    socket.on('data', (bytes: Buffer) => this.#take(bytes));
    if (head.length > 0) this.#take(head);
  }

  send(text: string): void {
    if (!this.#hasEnded && this.#isRead) this.#write(opcodes.text, Buffer.from(text));
  }

  /** Whether the client reads fast enough. */
  get #isRead(): boolean {
    return this.#socket.writableLength <= waitingBytesMax;
  }

  close(): void {
    if (this.#hasEnded) return;
    this.#write(opcodes.close, Buffer.of(0x03, 0xe8));
    this.#socket.end(() => this.#socket.destroy());
    this.#end();
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#onEnd();
  }

  #take(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    for (;;) {
      const frame = readFrame(this.#received);
      if (frame === undefined) return;
      if (frame === 'too long') return void this.#socket.destroy();
      this.#received = this.#received.subarray(frame.length);
      if (frame.opcode === opcodes.ping && this.#isRead) this.#write(opcodes.pong, frame.payload);
      if (frame.opcode === opcodes.close) return this.close();
    }
  }

  #write(opcode: number, payload: Buffer): void {
    const head =
      payload.length < 126
        ? Buffer.of(0x80 | opcode, payload.length)
        : payload.length < 65_536
          ? Buffer.of(0x80 | opcode, 126, payload.length >> 8, payload.length & 255)
          : createLongHead(opcode, payload.length);
    this.#socket.write(Buffer.concat([head, payload]));
  }
}

function createLongHead(opcode: number, length: number): Buffer {
  const head = Buffer.alloc(10);
  head[0] = 0x80 | opcode;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}

interface SocketFrame {
  readonly opcode: number;
  readonly payload: Buffer;
  /** The length of the whole frame. */
  readonly length: number;
}

/** Undefined if it is incomplete. */
function readFrame(bytes: Buffer): SocketFrame | 'too long' | undefined {
  if (bytes.length < 2) return undefined;
  const short = bytes[1]! & 127;
  if (short === 127) return 'too long';
  const start = short === 126 ? 4 : 2;
  if (bytes.length < start) return undefined;
  const size = short === 126 ? bytes.readUInt16BE(2) : short;
  if (size > frameBytesMax) return 'too long';
  const isMasked = bytes[1]! >= 128;
  const begin = start + (isMasked ? 4 : 0);
  if (bytes.length < begin + size) return undefined;
  const payload = Buffer.from(bytes.subarray(begin, begin + size));
  if (isMasked) for (let at = 0; at < size; at++) payload[at]! ^= bytes[start + (at % 4)]!;
  return { opcode: bytes[0]! & 15, payload, length: begin + size };
}
