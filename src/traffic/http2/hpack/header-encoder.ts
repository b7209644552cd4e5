/**
 * Encodes blocks of header fields (RFC 7541). Fields that are likely to be repeated are added to the table of the
 * connection; when it is full, it is emptied and filled again, so that the encoder need not track the order of
 * eviction.
 */
import { measureHuffman, writeHuffman } from './huffman.ts';
import { staticEntries, staticIndexOfName } from './static-table.ts';
import { entryOverheadBytes } from './table-entry.ts';

export type FieldLine = readonly [name: string, value: string];

/** The other side may allow more; this suffices for the fields of a site, and is the cost of an idle connection. */
const tableBytesMax = 4_096;

/** Differ from one response to the next. */
const changingNames: ReadonlySet<string> = new Set(
  'age cf-ray content-length content-range date etag expires last-modified location server-timing'.split(' '),
);
/** Never to be indexed, not even by intermediaries. */
const secretNames: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'set-cookie']);

/** A longer value is rarely the same in two responses, and uses the room of many others. */
const indexedValueBytesMax = 1_024;

/** Overhead of a field besides its text: the index, and two lengths. */
const fieldOverheadBytes = 16;

interface AddedName {
  /** The number of the newest field with this name. */
  number: number;
  readonly numberOfValue: Map<string, number>;
}

export class HeaderEncoder {
  /**
   * Fields and names that were added, numbered in that order. A combined key of name and value would have to be built
   * for each field.
   */
  readonly #added = new Map<string, AddedName>();
  #count = 0;
  #bytes = 0;
  #bytesMax = tableBytesMax;
  /** `emptied`: the other side has not been notified yet. */
  #state: 'filling' | 'full' | 'emptied' = 'filling';

  /** The other side allows a table of this size. */
  resize(bytesMax: number): void {
    const size = Math.min(bytesMax, tableBytesMax);
    if (size !== this.#bytesMax) this.#empty(size);
  }

  #empty(bytesMax: number): void {
    this.#added.clear();
    this.#count = 0;
    this.#bytes = 0;
    this.#bytesMax = bytesMax;
    this.#state = 'emptied';
  }

  /** The maximum length of a block with these fields. */
  static measure(fields: readonly FieldLine[]): number {
    let bytes = fieldOverheadBytes;
    for (const [name, value] of fields) bytes += name.length + value.length + fieldOverheadBytes;
    return bytes;
  }

  /** Writes a block of at most `measure` bytes. Names are in lower case. Returns the offset after it. */
  encode(fields: readonly FieldLine[], target: Buffer, offset: number): number {
    let at = offset;
    if (this.#state === 'full') this.#empty(this.#bytesMax);
    if (this.#state === 'emptied') {
      at = writeInteger(0, 5, 0x20, target, at);
      at = writeInteger(this.#bytesMax, 5, 0x20, target, at);
      this.#state = 'filling';
    }
    for (const field of fields) at = this.#write(field, target, at);
    return at;
  }

  #write(field: FieldLine, target: Buffer, offset: number): number {
    const [name, value] = field;
    const known = staticIndexOfField.get(name)?.get(value);
    if (known !== undefined) return writeInteger(known, 7, 0x80, target, offset);
    const isSecret = secretNames.has(name);
    if (isSecret || changingNames.has(name) || value.length > indexedValueBytesMax)
      return this.#writeLiteral(field, isSecret ? 0x10 : 0, target, offset);
    const added = this.#added.get(name);
    const number = added?.numberOfValue.get(value);
    if (number !== undefined) return writeInteger(this.#toIndex(number), 7, 0x80, target, offset);
    const bytes = name.length + value.length + entryOverheadBytes;
    if (this.#bytes + bytes > this.#bytesMax) {
      // It is emptied at the start of the next block.
      if (bytes <= this.#bytesMax) this.#state = 'full';
      return this.#writeLiteral(field, 0, target, offset);
    }
    const at = this.#writeAdded(field, target, offset);
    this.#add(field, added);
    this.#bytes += bytes;
    return at;
  }

  #add([name, value]: FieldLine, added: AddedName | undefined): void {
    const number = this.#count++;
    if (added === undefined) this.#added.set(name, { number, numberOfValue: new Map([[value, number]]) });
    else {
      added.number = number;
      added.numberOfValue.set(value, number);
    }
  }

  #findName(name: string): number {
    const added = this.#added.get(name);
    return staticIndexOfName.get(name) ?? (added === undefined ? 0 : this.#toIndex(added.number));
  }

  #toIndex(number: number): number {
    return staticEntries.length + this.#count - number;
  }

  /** Not Huffman-coded: for a value that is sent once, the encoding costs more than it saves. */
  #writeLiteral([name, value]: FieldLine, prefix: number, target: Buffer, offset: number): number {
    const index = this.#findName(name);
    let at = writeInteger(index, 4, prefix, target, offset);
    if (index === 0) at = writeText(name, target, at);
    return writeText(value, target, at);
  }

  #writeAdded([name, value]: FieldLine, target: Buffer, offset: number): number {
    const index = this.#findName(name);
    let at = writeInteger(index, 6, 0x40, target, offset);
    if (index === 0) at = writeShortest(name, target, at);
    return writeShortest(value, target, at);
  }
}

const staticIndexOfField: ReadonlyMap<string, ReadonlyMap<string, number>> = createFieldIndex();

function createFieldIndex(): Map<string, Map<string, number>> {
  const indices = new Map<string, Map<string, number>>();
  for (const [index, { field }] of staticEntries.entries()) {
    if (!indices.has(field[0])) indices.set(field[0], new Map());
    indices.get(field[0])!.set(field[1], index + 1);
  }
  return indices;
}

function writeShortest(text: string, target: Buffer, offset: number): number {
  const length = measureHuffman(text);
  if (length >= text.length) return writeText(text, target, offset);
  return writeHuffman(text, target, writeInteger(length, 7, 0x80, target, offset));
}

function writeText(text: string, target: Buffer, offset: number): number {
  const at = writeInteger(text.length, 7, 0, target, offset);
  return at + target.write(text, at, 'latin1');
}

/** `first`: the bits before the number. */
function writeInteger(value: number, bits: number, first: number, target: Buffer, offset: number): number {
  const mask = (1 << bits) - 1;
  if (value < mask) {
    target[offset] = first | value;
    return offset + 1;
  }
  target[offset] = first | mask;
  let at = offset + 1;
  let rest = value - mask;
  for (; rest >= 0x80; rest >>>= 7) target[at++] = (rest & 0x7f) | 0x80;
  target[at] = rest;
  return at + 1;
}
