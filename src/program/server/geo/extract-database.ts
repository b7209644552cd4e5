/** The database in a download: the file itself, or the first one of a tar archive, as MaxMind publishes them. */

const blockBytes = 512;

/** The bytes are already decompressed. */
export async function* extractDatabase(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const reader = new BlockReader(chunks);
  let header = await reader.read(blockBytes);
  const isArchive = header.toString('latin1', 257, 262) === 'ustar';
  if (!isArchive) {
    yield header;
    return yield* reader.rest();
  }
  for (; header.length === blockBytes && header[0] !== 0; header = await reader.read(blockBytes)) {
    const name = header.toString('latin1', 0, 100).replace(/\0.*/s, '');
    const size = Number.parseInt(header.toString('latin1', 124, 136), 8);
    if (!Number.isSafeInteger(size) || size < 0) throw new Error('it is not a tar archive');
    const isWanted = name.endsWith('.mmdb');
    const padded = Math.ceil(size / blockBytes) * blockBytes;
    for (let left = size; left > 0;) {
      const chunk = await reader.read(Math.min(left, 65_536));
      if (chunk.length === 0) throw new Error('the archive is truncated');
      left -= chunk.length;
      if (isWanted) yield chunk;
    }
    if (isWanted) return;
    await reader.read(padded - size);
  }
  throw new Error('the archive has no .mmdb file');
}

class BlockReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** This many bytes, or fewer at the end. */
  async read(bytes: number): Promise<Buffer> {
    while (this.#held.length < bytes) {
      const next = await this.#chunks.next();
      if (next.done === true) break;
      this.#held = Buffer.concat([this.#held, next.value]);
    }
    const taken = this.#held.subarray(0, bytes);
    this.#held = this.#held.subarray(bytes);
    return taken;
  }

  async *rest(): AsyncGenerator<Buffer> {
    yield this.#held;
    for (let next = await this.#chunks.next(); next.done !== true; next = await this.#chunks.next())
      yield next.value;
  }
}
