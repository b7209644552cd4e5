/** Messages of the domain name system, as far as updates need them (RFC 1035, section 4; RFC 2136, section 2). */
import { labelBytesMax, nameBytesMax, recordSeconds } from './limits.ts';

const types = { soa: 6, txt: 16 } as const;
const classes = { internet: 1, none: 254 } as const;
const updateOperation = 5 << 11;
const headerBytes = 12;

export interface TextUpdate {
  readonly zone: string;
  readonly name: string;
  readonly value: string;
  readonly kind: 'add' | 'remove';
}

export function encodeUpdate(id: number, { zone, name, value, kind }: TextUpdate): Buffer {
  const text = Buffer.from(value);
  const isAdded = kind === 'add';
  return Buffer.concat([
    numbers16(id, updateOperation, 1, 0, 1, 0),
    encodeName(zone),
    numbers16(types.soa, classes.internet),
    encodeName(name),
    numbers16(types.txt, isAdded ? classes.internet : classes.none),
    numbers16(0, isAdded ? recordSeconds : 0, text.length + 1),
    Buffer.of(text.length),
    text,
  ]);
}

/** In the form that signatures require: lower case, without compression. */
export function encodeName(name: string): Buffer {
  const labels = name.toLowerCase().replace(/\.$/, '').split('.');
  const parts = labels.map((label) => Buffer.from(label, 'latin1'));
  const encoded = Buffer.concat([...parts.flatMap((part) => [Buffer.of(part.length), part]), Buffer.of(0)]);
  const isLabel = (part: Buffer): boolean => part.length > 0 && part.length <= labelBytesMax;
  if (encoded.length > nameBytesMax || !parts.every(isLabel)) {
    throw new RangeError(`${name} is not a valid DNS name`);
  }
  return encoded;
}

export function numbers16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, index * 2);
  return bytes;
}

export interface DnsAnswer {
  readonly id: number;
  /** 0 if the server has done the update. */
  readonly responseCode: number;
  /** Where the last record begins; undefined if none follows the question. */
  readonly lastRecord: number | undefined;
}

/** Undefined if the bytes are not a complete message. */
export function readAnswer(bytes: Buffer): DnsAnswer | undefined {
  if (bytes.length < headerBytes) return undefined;
  const [questions, ...records] = [4, 6, 8, 10].map((at) => bytes.readUInt16BE(at)) as [number, ...number[]];
  const recordCount = records.reduce((sum, count) => sum + count, 0);
  let at: number | undefined = headerBytes;
  for (let left = questions; left > 0 && at !== undefined; left--) at = within(bytes, skipName(bytes, at), 4);
  let lastRecord: number | undefined;
  for (let left = recordCount; left > 0 && at !== undefined; left--) {
    lastRecord = at;
    at = skipRecord(bytes, at);
  }
  if (at === undefined) return undefined;
  return { id: bytes.readUInt16BE(0), responseCode: bytes[3]! & 15, lastRecord };
}

function skipRecord(bytes: Buffer, start: number): number | undefined {
  const content = within(bytes, skipName(bytes, start), 10);
  return within(bytes, content, content === undefined ? 0 : bytes.readUInt16BE(content - 2));
}

/** The position after a name; undefined if it is cut off. */
export function skipName(bytes: Buffer, start: number): number | undefined {
  for (let at = start; at < bytes.length; at += bytes[at]! + 1) {
    if (bytes[at] === 0) return at + 1;
    // The rest of the name is elsewhere.
    if (bytes[at]! >= 0xc0) return within(bytes, at, 2);
  }
  return undefined;
}

function within(bytes: Buffer, at: number | undefined, length: number): number | undefined {
  return at === undefined || at + length > bytes.length ? undefined : at + length;
}
