/** A buffer that grows as bytes are appended. All integers are little-endian. */
export class ByteWriter {
  #buffer: Buffer;
  #length = 0;

  constructor(capacity: number) {
    this.#buffer = Buffer.allocUnsafeSlow(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** The appended bytes, as a view that is valid until the next change. */
  view(from = 0): Buffer {
    return this.#buffer.subarray(from, this.#length);
  }

  /** Discards the appended bytes, and frees the memory of an unusually large row. */
  clear(capacityMax: number): void {
    this.#length = 0;
    if (this.#buffer.length > capacityMax) this.#buffer = Buffer.allocUnsafeSlow(capacityMax);
  }

  writeUint32(value: number): void {
    this.#reserve(4);
    this.#length = this.#buffer.writeUInt32LE(value, this.#length);
  }

  writeUint64(value: number): void {
    this.#reserve(8);
    this.#length = this.#buffer.writeBigUInt64LE(BigInt(value), this.#length);
  }

  /** LEB128: seven bits per byte, the lowest first, the top bit says that more follow. */
  writeVarint(value: number): void {
    this.#reserve(5);
    let rest = value;
    for (; rest >= 0x80; rest >>>= 7) this.#buffer[this.#length++] = (rest & 0x7f) | 0x80;
    this.#buffer[this.#length++] = rest;
  }

  /** Appends a binary string from its character `from` on. */
  writeLatin1(text: string, from = 0): void {
    const count = text.length - from;
    this.#reserve(count);
    this.#buffer.write(from === 0 ? text : text.slice(from), this.#length, count, 'latin1');
    this.#length += count;
  }

  writeBytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#buffer.length * 2));
    grown.set(this.view());
    this.#buffer = grown;
  }
}
