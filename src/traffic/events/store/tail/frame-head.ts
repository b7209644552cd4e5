/**
 * The head before the text of a frame: see frame.ts. Formats 1 and 2 have a head of fixed size, in which integers are
 * little-endian and a double is IEEE 754:
 *
 * ```
 *    0   1  format: 1 or 2
 *    1   1  length of the zone id, z
 *    2   z  zone id
 *    …   8  first sequence, double
 *    …   8  how long events of the zone are kept, in milliseconds, double
 *    …  16  the dictionary: from this sequence on (8), before this one (8), doubles; equal if there is none
 *    …   4  number of events
 *    …   4  length of the text
 * ```
 */
export interface FrameHead {
  /** The layout of the text. */
  readonly layout: 'lines' | 'columns';
  readonly zoneId: string;
  readonly firstSequence: number;
  readonly retentionMs: number;
  readonly dictionaryStart: number;
  readonly dictionaryEnd: number;
  readonly count: number;
  readonly textLength: number;
}

export interface ReadFrameHead extends FrameHead {
  /** The bytes after the head. */
  readonly compressed: Buffer;
}

const formats = { lines: 3, columns: 4 } as const;
const fixedFormats = { lines: 1, columns: 2 } as const;

/** Represents the length of a zone id of 32 hexadecimal digits, which all of ours have. */
const hexadecimal = 255;
const hexadecimalBytes = 16;

/** Six numbers of at most eight bytes each: none exceeds 2⁵³. */
const numbersBytesMax = 48;

export function writeFrameHead(head: FrameHead): Buffer {
  const { zoneId, firstSequence, retentionMs, dictionaryStart, dictionaryEnd, count, textLength } = head;
  const isHexadecimal = /^[0-9a-f]{32}$/.test(zoneId);
  const zone = Buffer.from(zoneId, isHexadecimal ? 'hex' : 'utf8');
  const bytes = Buffer.alloc(2 + zone.length + numbersBytesMax);
  bytes[0] = formats[head.layout];
  bytes[1] = isHexadecimal ? hexadecimal : zone.length;
  let end = 2 + zone.copy(bytes, 2);
  for (const value of [
    firstSequence,
    retentionMs,
    firstSequence - dictionaryEnd,
    dictionaryEnd - dictionaryStart,
    count,
    textLength,
  ]) {
    end = writeNumber(bytes, value, end);
  }
  return bytes.subarray(0, end);
}

/** The records of the tail have checksums: an unknown format is that of a later version. */
export function readFrameHead(payload: Uint8Array): ReadFrameHead {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length);
  const [format] = bytes;
  if (format === formats.lines) return readHead(bytes, 'lines');
  if (format === formats.columns) return readHead(bytes, 'columns');
  if (format === fixedFormats.lines) return readFixedHead(bytes, 'lines');
  if (format === fixedFormats.columns) return readFixedHead(bytes, 'columns');
  throw new TypeError('cannot read the tail of events: a later version of Gatehouse wrote it');
}

function readHead(bytes: Buffer, layout: FrameHead['layout']): ReadFrameHead {
  const isHexadecimal = bytes[1] === hexadecimal;
  let end = 2 + (isHexadecimal ? hexadecimalBytes : bytes[1]!);
  const zoneId = bytes.toString(isHexadecimal ? 'hex' : 'utf8', 2, end);
  const next = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[end++]!;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  const firstSequence = next();
  const retentionMs = next();
  const dictionaryEnd = firstSequence - next();
  const dictionaryStart = dictionaryEnd - next();
  const count = next();
  const textLength = next();
  const compressed = bytes.subarray(end);
  return {
    layout,
    zoneId,
    firstSequence,
    retentionMs,
    dictionaryStart,
    dictionaryEnd,
    count,
    textLength,
    compressed,
  };
}

function readFixedHead(bytes: Buffer, layout: FrameHead['layout']): ReadFrameHead {
  const end = 2 + bytes[1]!;
  return {
    layout,
    zoneId: bytes.toString('utf8', 2, end),
    firstSequence: bytes.readDoubleLE(end),
    retentionMs: bytes.readDoubleLE(end + 8),
    dictionaryStart: bytes.readDoubleLE(end + 16),
    dictionaryEnd: bytes.readDoubleLE(end + 24),
    count: bytes.readUInt32LE(end + 32),
    textLength: bytes.readUInt32LE(end + 36),
    compressed: bytes.subarray(end + 40),
  };
}

/** Returns the offset after it. */
function writeNumber(bytes: Buffer, value: number, start: number): number {
  let at = start;
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes[at++] = (rest % 128) | 128;
  bytes[at] = rest;
  return at + 1;
}
