/** Removes the framing of bodies. A decoder accepts input until it is done; later bytes do not belong to it. */
import type { BodyDecoder } from './decoder.ts';
import { ChunkedDecoder } from './chunked-decoder.ts';
import type { Framing } from './framing.ts';

class LengthDecoder implements BodyDecoder {
  #left: number;
  readonly isBroken = false;
  restOffset = 0;

  constructor(length: number) {
    this.#left = length;
  }

  get isDone(): boolean {
    return this.#left === 0;
  }

  decode(bytes: Buffer): Buffer {
    this.restOffset = Math.min(bytes.length, this.#left);
    this.#left -= this.restOffset;
    return this.restOffset === bytes.length ? bytes : bytes.subarray(0, this.restOffset);
  }
}

/** The bytes are the body itself. Its end is that of the connection, or is signalled separately. */
export class UnframedDecoder implements BodyDecoder {
  isDone = false;
  readonly isBroken = false;
  restOffset = 0;

  decode(bytes: Buffer): Buffer {
    this.restOffset = bytes.length;
    return bytes;
  }
}

export function createBodyDecoder(framing: Framing): BodyDecoder {
  switch (framing.kind) {
    case 'none':
      return new LengthDecoder(0);
    case 'length':
      return new LengthDecoder(framing.length);
    case 'chunked':
      return new ChunkedDecoder();
    case 'close':
      return new UnframedDecoder();
  }
}
