/** Messages of a parent and its child on a stream: the length in four bytes, then the value as V8 writes it. */
import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';

export function writeFrame(socket: Socket, value: unknown, onWritten?: () => void): void {
  const body = serialize(value);
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32LE(body.length);
  socket.write(length);
  socket.write(body, onWritten);
}

export class Frames {
  readonly #take: (value: unknown) => void;
  #pieces: Buffer[] = [];
  #length = 0;
  /** Of the frame that is awaited, with its length; 4 while that is not known. */
  #wanted = 4;

  constructor(take: (value: unknown) => void) {
    this.#take = take;
  }

  /** Frames that are whole are taken at once, in their order. */
  add(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    while (this.#length >= this.#wanted) {
      const bytes = Buffer.concat(this.#pieces);
      const frameLength = 4 + bytes.readUInt32LE();
      const isWhole = bytes.length >= frameLength;
      if (isWhole) this.#take(deserialize(bytes.subarray(4, frameLength)));
      const rest = isWhole ? bytes.subarray(frameLength) : bytes;
      this.#pieces = [rest];
      this.#length = rest.length;
      this.#wanted = isWhole ? 4 : frameLength;
    }
  }
}
