/**
 * The frames of the protocol, read and written by parts of `ws`. Its own `WebSocket` is not used: it answers a close
 * frame by itself, where an object must decide when it closes, and it takes more memory for an idle connection.
 */
import { createRequire } from 'node:module';
import type { Duplex, Writable } from 'node:stream';

/** The interface that `ws` calls for compressed messages, registered under the name of the extension. */
export interface FrameCompressor {
  /** `ws` reads its own threshold from here: it is empty, because `send` decides here. */
  readonly params: object;
  compress(
    data: string | Uint8Array,
    isLast: boolean,
    done: (error: Error | null, result: Buffer) => void,
  ): void;
  decompress(data: Buffer, isLast: boolean, done: (error: Error | null, result?: Buffer) => void): void;
}

export const deflateName = 'permessage-deflate';

type Extensions = { readonly [deflateName]?: FrameCompressor };

interface FrameReaderOptions {
  readonly isServer: boolean;
  readonly extensions: Extensions;
  readonly maxPayload: number;
  readonly maxFragments: number;
  readonly maxBufferedChunks: number;
  /** Invalid UTF-8 in text is replaced instead of refused. */
  readonly skipUTF8Validation: true;
}

/** Bytes are written to it; it emits `message`, `conclude` (a close frame), `ping`, `pong` and `error`. */
export interface MessageReceiver extends Writable {
  /** The bytes of the message that is being read. */
  readonly _totalPayloadLength: number;
}

export interface MessageSender {
  /** Bytes of messages that are being compressed, or wait behind one that is. */
  readonly _bufferedBytes: number;
  send(
    data: string | Uint8Array,
    options: {
      readonly binary: boolean;
      readonly compress: boolean;
      readonly fin: true;
      readonly mask: boolean;
    },
  ): void;
  close(code: number | undefined, reason: string, mask: boolean): void;
  pong(data: Buffer, mask: boolean, onWritten?: () => void): void;
}

interface FrameOptions {
  readonly fin: true;
  readonly opcode: number;
  readonly mask: boolean;
  readonly readOnly: false;
  readonly rsv1: false;
}

export type ExtensionOffers = Readonly<
  Record<string, readonly Readonly<Record<string, readonly (string | true)[]>>[] | undefined>
>;

interface Framing {
  readonly Receiver: new (options: FrameReaderOptions) => MessageReceiver;
  readonly Sender: {
    new (socket: Duplex, extensions: Extensions): MessageSender;
    frame(data: Buffer, options: FrameOptions): Buffer[];
  };
  readonly extension: {
    parse(header: string): ExtensionOffers;
  };
}

const require = createRequire(import.meta.url);

let loaded: Framing | undefined;

/**
 * The parts of `ws`, which exports them without types. Loaded with the first connection: most processes with objects
 * have none.
 */
function framing(): Framing {
  return (loaded ??= require('ws') as Framing);
}

export function createFrameReader(options: FrameReaderOptions): MessageReceiver {
  return new (framing().Receiver)(options);
}

export function createFrameWriter(socket: Duplex, extensions: Extensions): MessageSender {
  return new (framing().Sender)(socket, extensions);
}

export function parseExtensionHeader(header: string): ExtensionOffers {
  return framing().extension.parse(header);
}

interface CloseFrame {
  readonly code: number | undefined;
  readonly reason: string;
  readonly mask: boolean;
}

/** Workers may close with codes that RFC 6455 reserves, such as 2000; `ws` refuses to write those. */
export function writeClose(socket: Duplex, writer: MessageSender, { code, reason, mask }: CloseFrame): void {
  const isDefined = code === undefined || (code >= 3000 && code <= 4999) || (code >= 1000 && code <= 1014);
  if (isDefined) return writer.close(code, reason, mask);
  const body = Buffer.alloc(2 + Buffer.byteLength(reason));
  body.writeUInt16BE(code);
  body.write(reason, 2);
  const [...frame] = framing().Sender.frame(body, {
    fin: true,
    opcode: 8,
    mask,
    readOnly: false,
    rsv1: false,
  });
  const write = (): void => {
    if (socket.writable) socket.write(Buffer.concat(frame));
  };
  if (writer._bufferedBytes === 0) write();
  // An unsolicited pong is legal, and is sent after messages that are being compressed.
  else writer.pong(Buffer.alloc(0), mask, write);
}
