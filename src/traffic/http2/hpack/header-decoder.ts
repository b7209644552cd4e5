/**
 * Decodes blocks of header fields (RFC 7541). Limits are counted during decoding, for each reference, before anything
 * is stored: a block of a few bytes can represent megabytes. Fields beyond a limit are dropped, but the block is read
 * to its end, because both sides must agree on the table.
 */
import { DynamicTable } from './dynamic-table.ts';
import { decodeHuffman } from './huffman.ts';
import { staticEntries } from './static-table.ts';
import { createEntry, type TableEntry } from './table-entry.ts';

export interface HeaderListLimits {
  /** As `TableEntry.bytes` counts. */
  readonly listBytesMax: number;
  readonly fieldCountMax: number;
}

export interface HeaderList {
  /** Without fields beyond a limit. */
  readonly entries: readonly TableEntry[];
  /** Size of all fields, as `TableEntry.bytes` counts. */
  readonly bytes: number;
  readonly isTooLarge: boolean;
}

/** The block is invalid, or contradicts earlier blocks: nothing more can be decoded. */
class CompressionError extends Error {
  override readonly name = 'CompressionError';
}

/** Indices, lengths and sizes have at most this many bytes beyond the first: more than any limit allows. */
const integerBytesMax = 4;

/** Flag in a length: the string is Huffman-coded. */
const huffmanFlag = 0x80;

export class HeaderDecoder {
  readonly #limits: HeaderListLimits;
  readonly #table: DynamicTable;
  readonly #tableBytesMax: number;
  #block: Buffer = nothing;
  #offset = 0;

  /** `tableBytesMax` is the size announced to the other side. */
  constructor(limits: HeaderListLimits, tableBytesMax: number) {
    this.#limits = limits;
    this.#tableBytesMax = tableBytesMax;
    this.#table = new DynamicTable(tableBytesMax);
  }

  /** Undefined if the block is invalid: the connection must be closed. */
  decode(block: Buffer): HeaderList | undefined {
    this.#block = block;
    this.#offset = 0;
    try {
      return this.#decode();
    } catch (error) {
      if (error instanceof CompressionError) return undefined;
      throw error;
    } finally {
      this.#block = nothing;
    }
  }

  #decode(): HeaderList {
    const { listBytesMax, fieldCountMax } = this.#limits;
    const entries: TableEntry[] = [];
    let bytes = 0;
    let count = 0;
    this.#resize();
    while (this.#offset < this.#block.length) {
      const entry = this.#readField();
      bytes += entry.bytes;
      if (++count <= fieldCountMax && bytes <= listBytesMax) entries.push(entry);
    }
    return { entries, bytes, isTooLarge: entries.length < count };
  }

  /** Size updates come before the first field; two are enough for the smallest and the last size. */
  #resize(): void {
    for (let changes = 0; (this.#block[this.#offset]! & 0xe0) === 0x20; changes++) {
      const bytesMax = this.#readInteger(5);
      if (changes === 2 || bytesMax > this.#tableBytesMax) throw new CompressionError();
      this.#table.resize(bytesMax);
    }
  }

  #readField(): TableEntry {
    const first = this.#block[this.#offset]!;
    if (first & 0x80) return this.#find(this.#readInteger(7));
    if ((first & 0xe0) === 0x20) throw new CompressionError();
    const isAdded = (first & 0x40) !== 0;
    const index = this.#readInteger(isAdded ? 6 : 4);
    const name = index === 0 ? this.#readString() : this.#find(index).field[0];
    const entry = createEntry(name, this.#readString());
    if (isAdded) this.#table.add(entry);
    return entry;
  }

  #find(index: number): TableEntry {
    const entry =
      index <= staticEntries.length
        ? staticEntries[index - 1]
        : this.#table.get(index - staticEntries.length - 1);
    if (entry === undefined) throw new CompressionError();
    return entry;
  }

  /** The first byte contains this many bits of the number. */
  #readInteger(bits: number): number {
    const mask = (1 << bits) - 1;
    let value = this.#block[this.#offset++]! & mask;
    if (value < mask) return value;
    for (let more = 0; more < integerBytesMax; more++) {
      const byte = this.#block[this.#offset++];
      if (byte === undefined) throw new CompressionError();
      value += (byte & 0x7f) * 2 ** (7 * more);
      if (byte < 0x80) return value;
    }
    throw new CompressionError();
  }

  #readString(): string {
    const first = this.#block[this.#offset];
    if (first === undefined) throw new CompressionError();
    const length = this.#readInteger(7);
    const from = this.#offset;
    this.#offset += length;
    if (this.#offset > this.#block.length) throw new CompressionError();
    if (!(first & huffmanFlag)) return this.#block.toString('latin1', from, this.#offset);
    const text = decodeHuffman(this.#block, from, this.#offset);
    if (text === undefined) throw new CompressionError();
    return text;
  }
}

const nothing = Buffer.alloc(0);
