/** Messages of a parent and its child on a stream: the length in four bytes, then the value in V8's serialisation. */
import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';
import { ProtocolError } from './protocol-error.ts';

const lengthBytes = 4;

export function writeFrame(socket: Socket, value: unknown, onWritten?: () => void): void {
  const body = serialize(value);
  const length = Buffer.allocUnsafe(lengthBytes);
  length.writeUInt32LE(body.length);
  socket.cork();
  socket.write(length);
  socket.write(body, onWritten);
  socket.uncork();
}

export class Frames {
  readonly #bytesMax: number;
  #pieces: Buffer[] = [];
  #length = 0;
  /** Length of the awaited frame, including its length field; 4 while that is unknown. */
  #wanted = lengthBytes;

  /** A frame whose length field exceeds this is an error as soon as that field has arrived. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  add(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  /** The next complete message; undefined if there is none yet. Throws a `ProtocolError` if it is invalid. */
  next(): { readonly message: unknown } | undefined {
    if (this.#length < this.#wanted) return undefined;
    const bytes = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces, this.#length);
    const frameLength = lengthBytes + bytes.readUInt32LE();
    if (frameLength > this.#bytesMax)
      throw new ProtocolError(
        `a message of ${frameLength - lengthBytes} bytes is longer than ${this.#bytesMax}`,
      );
    const isWhole = bytes.length >= frameLength;
    this.#keep(isWhole ? bytes.subarray(frameLength) : bytes, isWhole ? lengthBytes : frameLength);
    return isWhole ? { message: read(bytes.subarray(lengthBytes, frameLength)) } : undefined;
  }

  #keep(rest: Buffer, wanted: number): void {
    this.#pieces = rest.length === 0 ? [] : [rest];
    this.#length = rest.length;
    this.#wanted = wanted;
  }
}

function read(bytes: Buffer): unknown {
  try {
    return deserialize(bytes);
  } catch (error) {
    throw new ProtocolError(`a message is not a value: ${(error as Error).message}`, { cause: error });
  }
}
