/** A writable stream that computes the digest of its input. */
import { createHash, type Hash } from 'node:crypto';
import { types } from 'node:util';

const hashes: Readonly<Record<string, string>> = {
  MD5: 'md5',
  'SHA-1': 'sha1',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
};

export class DigestStream extends WritableStream<unknown> {
  readonly #digest: Promise<ArrayBuffer>;
  #bytesWritten = 0n;

  constructor(algorithm: string | { readonly name: string }) {
    const hash = createDigest(algorithm);
    const { promise, resolve, reject } = Promise.withResolvers<ArrayBuffer>();
    promise.catch(() => {});
    super({
      write: (chunk) => {
        const bytes = toBytes(chunk);
        this.#bytesWritten += BigInt(bytes.length);
        hash.update(bytes);
      },
      close: () => resolve(new Uint8Array(hash.digest()).buffer),
      abort: (reason) => reject(reason as Error),
    });
    this.#digest = promise;
  }

  get digest(): Promise<ArrayBuffer> {
    return this.#digest;
  }

  get bytesWritten(): bigint {
    return this.#bytesWritten;
  }
}

function createDigest(algorithm: string | { readonly name: string }): Hash {
  const name = String(typeof algorithm === 'object' && algorithm !== null ? algorithm.name : algorithm);
  const hash = hashes[name.toUpperCase()];
  if (hash !== undefined) return createHash(hash);
  throw new DOMException('Unrecognized or unimplemented digest algorithm requested.', 'NotSupportedError');
}

function toBytes(chunk: unknown): Uint8Array {
  if (typeof chunk === 'string') return new TextEncoder().encode(chunk);
  if (ArrayBuffer.isView(chunk)) return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  if (types.isAnyArrayBuffer(chunk)) return new Uint8Array(chunk);
  throw new TypeError(
    'DigestStream is a byte stream but received an object of non-ArrayBuffer/ArrayBufferView/string type on its writable side.',
  );
}
