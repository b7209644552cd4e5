/**
 * A batch of events of one zone as a record of the tail. Integers are little-endian, a double is IEEE 754.
 *
 * ```
 *    0   1  format: 1 or 2
 *    1   1  length of the zone id, z
 *    2   z  zone id
 *    …   8  first sequence, double; the events have consecutive ones
 *    …   8  how long events of the zone are kept, in milliseconds, double
 *    …  16  the dictionary: from this sequence on (8), before this one (8), doubles; equal if there is none
 *    …   4  number of events
 *    …   4  length of the text
 *    …   …  the text, compressed with zstd
 * ```
 *
 * The text of format 1 has two lines per event: the packed event, and its explanation as JSON or nothing. That of format
 * 2, for larger batches, has the time of the oldest event in its first line, and then a line for each section of a block
 * (columns.ts) but the sequences: what events have in common is there once, so that little is left to compress. The
 * dictionary is the last 16 KiB of the texts of this zone's events with these sequences, so that even one event alone
 * compresses well. It never starts before the oldest event of the zone that was not in a block when the frame was
 * written: so a tail that begins there can be read.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { ColumnReader } from '../blocks/column-reader.ts';
import { findFirstMs, sectionCount, sequencesSection, writeSection } from '../blocks/columns.ts';
import { packEvent, unpackEvent } from '../../packed-event.ts';
import { columnRowsMin, dictionaryBytesMax } from '../limits.ts';
import type { Row } from '../row.ts';

const lineFormat = 1;
const columnFormat = 2;
const fixedBytes = 42;
/** Events of a frame have consecutive sequences. */
const frameSections = Array.from({ length: sectionCount }, (_, section) => section).filter(
  (section) => section !== sequencesSection,
);
const level = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export interface Dictionary {
  readonly bytes: Buffer;
  /** The sequence of the first event whose text may be in it. */
  readonly start: number;
  /** The sequence behind the last one. */
  readonly end: number;
}

export interface Frame {
  readonly zoneId: string;
  readonly firstSequence: number;
  readonly retentionMs: number;
  readonly rows: readonly Row[];
}

export interface FrameHead extends Omit<Frame, 'rows'> {
  readonly format: number;
  readonly count: number;
  readonly dictionaryStart: number;
  readonly dictionaryEnd: number;
  readonly textLength: number;
  readonly compressed: Buffer;
}

export function writeText(rows: readonly Row[]): Buffer {
  const text =
    chooseFormat(rows.length) === lineFormat
      ? rows.map(({ event, judged }) => `${packEvent(event)}\n${judged ?? ''}\n`).join('')
      : `${findFirstMs(rows)}\n${frameSections.map((section) => `${writeSection(section, rows)}\n`).join('')}`;
  return Buffer.from(text);
}

/** Few events are smaller as lines, because they are like those before them. */
function chooseFormat(rows: number): number {
  return rows < columnRowsMin ? lineFormat : columnFormat;
}

export function writeFrame(frame: Frame, text: Buffer, dictionary: Dictionary): Buffer[] {
  const zone = Buffer.from(frame.zoneId);
  const head = Buffer.alloc(fixedBytes + zone.length);
  head[0] = chooseFormat(frame.rows.length);
  head[1] = zone.length;
  let at = 2 + zone.copy(head, 2);
  const { firstSequence, retentionMs } = frame;
  for (const value of [firstSequence, retentionMs, dictionary.start, dictionary.end]) {
    at = head.writeDoubleLE(value, at);
  }
  head.writeUInt32LE(frame.rows.length, at);
  head.writeUInt32LE(text.length, at + 4);
  const shared = dictionary.bytes.length === 0 ? {} : { dictionary: dictionary.bytes };
  return [head, zstdCompressSync(text, { ...level, ...shared })];
}

/** The records of the tail are checked: one of an unknown format is of a later version. */
export function readFrameHead(payload: Uint8Array): FrameHead {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length);
  const [format] = bytes;
  if (format !== lineFormat && format !== columnFormat)
    throw new TypeError('cannot read the tail of events: a later version of Gatehouse wrote it');
  const end = 2 + bytes[1]!;
  return {
    format,
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

export function readText({ compressed, textLength }: FrameHead, dictionary: Buffer): Buffer {
  const shared = dictionary.length === 0 ? {} : { dictionary };
  return zstdDecompressSync(compressed, { maxOutputLength: Math.max(1, textLength), ...shared });
}

/** `receivedMs`: when the frame was written. */
export function readRows(head: FrameHead, text: Buffer, receivedMs: number): Row[] {
  const { format, firstSequence, retentionMs } = head;
  const lines = text.toString('utf8').split('\n');
  const found = format === lineFormat ? readLines(lines) : readColumns(lines, head.count);
  return found.map(({ event, judged }, index) => {
    const atMs = Date.parse(event.datetime);
    const expiresMs = computeExpiry(atMs, receivedMs, retentionMs);
    return { sequence: firstSequence + index, atMs, expiresMs, event, judged };
  });
}

type Content = Pick<Row, 'event' | 'judged'>;

function readLines(lines: readonly string[]): Content[] {
  return Array.from({ length: lines.length >> 1 }, (_, index) => {
    const judged = lines[index * 2 + 1]!;
    return { event: unpackEvent(lines[index * 2]!), judged: judged === '' ? null : judged };
  });
}

function readColumns(lines: readonly string[], count: number): Content[] {
  const reader = new ColumnReader((section) => lines[frameSections.indexOf(section) + 1], Number(lines[0]));
  return Array.from({ length: count }, (_, row) => {
    const judged = reader.judged(row);
    return { event: reader.event(row), judged: judged === null ? null : JSON.stringify(judged) };
  });
}

/** An event from the future, of an edge whose clock is wrong, is not kept any longer for it. */
export function computeExpiry(atMs: number, receivedMs: number, retentionMs: number): number {
  return Math.min(atMs, receivedMs) + retentionMs;
}

/** The last part of texts that follow each other. */
export function keepLast(...texts: readonly Buffer[]): Buffer {
  const last = texts.at(-1)!;
  const whole = last.length >= dictionaryBytesMax ? last : Buffer.concat(texts);
  // A copy: the text of a large batch must not stay in memory for its end.
  return Buffer.from(whole.subarray(Math.max(0, whole.length - dictionaryBytesMax)));
}
