/** A byte stream of known length: a response with it as its body has a `Content-Length`. */
import { IdentityTransformStream } from './identity-transform-stream.ts';

const lengths = new WeakMap<ReadableStream, number>();

/** The total number of bytes of a stream, if it was declared. */
export function knownLengthOf(stream: ReadableStream): number | undefined {
  return lengths.get(stream);
}

export class FixedLengthStream extends IdentityTransformStream {
  #left: number;

  constructor(length: number | bigint) {
    super();
    this.#left = toLength(length);
    lengths.set(this.readable, this.#left);
  }

  protected override check(bytes: number): Error | undefined {
    if (bytes > this.#left) {
      return new TypeError('Attempt to write too many bytes through a FixedLengthStream.');
    }
    this.#left -= bytes;
    return undefined;
  }

  protected override checkEnd(): Error | undefined {
    return this.#left === 0
      ? undefined
      : new TypeError('FixedLengthStream did not see all expected bytes before close().');
  }
}

function toLength(value: number | bigint): number {
  const length = Math.trunc(Number(value));
  if (length >= 0 && length <= Number.MAX_SAFE_INTEGER) return length;
  throw new TypeError('FixedLengthStream requires an integer expected length less than 2^53.');
}
