/** For tests: the client's side of a connection, which can send any frame and reads all of them. */
import { Http2Session } from './http2-session.ts';
import {
  clientPreface,
  errorCode,
  frameFlag,
  frameHeadBytes,
  frameType,
  writeFrameHead,
} from './frames/frame-types.ts';
import type { HeaderBlock } from './frames/header-blocks.ts';
import { HeaderDecoder } from './hpack/header-decoder.ts';
import type { Http2Limit, Http2Limits } from './limits.ts';
import type { Stream } from './stream.ts';

export { clientPreface, errorCode, frameFlag, frameType };

export interface ReadFrame {
  readonly name: string;
  readonly streamId: number;
  readonly flags: number;
  readonly payload: Buffer;
  /** For HEADERS. */
  readonly fields?: readonly string[];
  /** For RST_STREAM and GOAWAY, by name. */
  readonly code?: string;
}

const typeNames = new Map<number, string>(Object.entries(frameType).map(([name, type]) => [type, name]));
const codeNames = new Map<number, string>(Object.entries(errorCode).map(([name, code]) => [code, name]));

export function frame(
  type: number,
  flags: number,
  streamId: number,
  payload: Buffer = Buffer.alloc(0),
): Buffer {
  const bytes = Buffer.alloc(frameHeadBytes + payload.length);
  writeFrameHead(bytes, 0, payload.length, { type, flags, streamId });
  payload.copy(bytes, frameHeadBytes);
  return bytes;
}

export function uint32(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, index * 4);
  return bytes;
}

export function settings(...pairs: readonly (readonly [name: number, value: number])[]): Buffer {
  const payload = Buffer.alloc(pairs.length * 6);
  for (const [index, [name, value]] of pairs.entries()) {
    payload.writeUInt16BE(name, index * 6);
    payload.writeUInt32BE(value, index * 6 + 2);
  }
  return frame(frameType.settings, 0, 0, payload);
}

/** Literals without indices: a block that encodes exactly these bytes, valid or not. */
export function literalBlock(fields: readonly (readonly [name: string, value: string])[]): Buffer {
  const pieces: Buffer[] = [];
  for (const [name, value] of fields) pieces.push(Buffer.of(0), writeString(name), writeString(value));
  return Buffer.concat(pieces);
}

function writeString(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  return Buffer.concat([writeLength(bytes.length), bytes]);
}

function writeLength(length: number): Buffer {
  if (length < 127) return Buffer.of(length);
  const bytes = [127];
  let rest = length - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}

export const getFields = [
  [':method', 'GET'],
  [':scheme', 'https'],
  [':authority', 'shop.example'],
  [':path', '/'],
] as const;

export function headers(
  streamId: number,
  fields: readonly (readonly [name: string, value: string])[] = getFields,
  { isEnd = true }: { readonly isEnd?: boolean } = {},
): Buffer {
  const flags = frameFlag.endHeaders | (isEnd ? frameFlag.endStream : 0);
  return frame(frameType.headers, flags, streamId, literalBlock(fields));
}

export function data(streamId: number, body: string | Buffer, { isEnd = false } = {}): Buffer {
  return frame(frameType.data, isEnd ? frameFlag.endStream : 0, streamId, Buffer.from(body));
}

export function reset(streamId: number): Buffer {
  return frame(frameType.resetStream, 0, streamId, uint32(errorCode.cancel));
}

export function windowUpdate(streamId: number, bytes: number): Buffer {
  return frame(frameType.windowUpdate, 0, streamId, uint32(bytes));
}

export const ping = frame(frameType.ping, 0, 0, Buffer.from('12345678'));

/** Records the frames that a server sends. */
export class FrameLog {
  readonly frames: ReadFrame[] = [];
  readonly #decoder = new HeaderDecoder({ listBytesMax: 1e9, fieldCountMax: 1e9 }, 4_096);
  #rest = Buffer.alloc(0);

  push(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    while (this.#rest.length >= frameHeadBytes) {
      const length = this.#rest.readUIntBE(0, 3);
      if (this.#rest.length < frameHeadBytes + length) return;
      this.frames.push(this.#readFrame(length));
      this.#rest = this.#rest.subarray(frameHeadBytes + length);
    }
  }

  #readFrame(length: number): ReadFrame {
    const bytes = this.#rest;
    const type = bytes[3]!;
    const payload = bytes.subarray(frameHeadBytes, frameHeadBytes + length);
    const read = {
      name: typeNames.get(type) ?? `type ${type}`,
      flags: bytes[4]!,
      streamId: bytes.readUInt32BE(5),
      payload,
    };
    if (type === frameType.headers)
      return { ...read, fields: this.#decoder.decode(payload)!.entries.map(({ field }) => field.join(': ')) };
    if (type === frameType.resetStream) return { ...read, code: codeNames.get(payload.readUInt32BE(0))! };
    if (type === frameType.goaway) return { ...read, code: codeNames.get(payload.readUInt32BE(4))! };
    return read;
  }

  /** As lines, for comparison. */
  describe(from = 0): string[] {
    return this.frames.slice(from).map(({ name, streamId, flags, fields, code, payload }) => {
      const end = (name === 'data' || name === 'headers') && flags & frameFlag.endStream ? ' END' : '';
      const what = code ?? fields?.join('; ') ?? (name === 'data' ? payload.toString('latin1') : '');
      return `${name} ${streamId}${what === '' ? '' : ` ${what}`}${end}`;
    });
  }
}

interface Seen {
  readonly stream: Stream;
  readonly request: HeaderBlock;
  readonly events: string[];
}

interface HarnessOptions {
  readonly limits?: Partial<Http2Limits>;
  readonly answers?: boolean;
  /** Frames that the client sends after its preface. */
  readonly begin?: readonly Buffer[];
}

/** A connection whose client sends arbitrary frames, and whose requests the test answers. */
export class Harness {
  readonly seen: Seen[] = [];
  readonly limits: Http2Limit[] = [];
  readonly log = new FrameLog();
  nowMs = 0;
  isDone = false;
  answers: boolean;
  readonly connection: Http2Session;

  constructor({ limits = {}, answers = false, begin = [settings()] }: HarnessOptions = {}) {
    this.answers = answers;
    this.connection = new Http2Session({
      limits,
      now: () => this.nowMs,
      handler: {
        onRequest: (stream, request) => this.#take(stream, request),
        onOutput: () => {},
        onLimit: (limit) => this.limits.push(limit),
        onDone: () => (this.isDone = true),
      },
    });
    this.send(clientPreface, ...begin);
    if (!this.connection.isOver) this.read();
  }

  #take(stream: Stream, request: HeaderBlock): NonNullable<Stream['listener']> {
    const events: string[] = [];
    this.seen.push({ stream, request, events });
    if (this.answers) {
      stream.sendHead([[':status', '200']]);
      stream.sendData(Buffer.from('ok'));
      stream.end();
    }
    return {
      onData: (bytes) => void events.push(`data ${bytes.toString('latin1')}`),
      onEnd: (trailers) =>
        void events.push(`end${trailers?.entries.map(({ field }) => ` ${field.join(': ')}`).join('') ?? ''}`),
      onReset: () => void events.push('reset'),
      onDrain: () => void events.push('drain'),
      onSent: () => {},
    };
  }

  send(...frames: readonly Buffer[]): this {
    this.connection.receive(Buffer.concat(frames));
    return this;
  }

  /** The frames since the last call. */
  read(): string[] {
    const from = this.log.frames.length;
    for (let pieces = this.connection.produce(); pieces !== undefined; pieces = this.connection.produce())
      for (const piece of pieces) this.log.push(piece);
    return this.log.describe(from);
  }

  /** Sends frames until the connection closes, and returns their number. */
  flood(create: (index: number) => Buffer, countMax = 20_000): number {
    for (let index = 0; index < countMax; index++) {
      this.send(create(index));
      this.read();
      if (this.connection.isOver) return index + 1;
    }
    return Infinity;
  }
}
