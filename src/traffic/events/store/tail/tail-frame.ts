/**
 * A batch of events of one zone as a record of the tail. A number is a variable-length integer: seven bits in each
 * byte, the lowest first; the highest bit says that another byte follows.
 *
 * ```
 *    0   1  format: 3 or 4
 *    1   1  length of the zone id, or 255: it is 32 hexadecimal digits, which are stored as 16 bytes
 *    2   …  zone id
 *    …   …  first sequence; the events have consecutive ones
 *    …   …  how long events of the zone are kept, in milliseconds
 *    …   …  how many sequences before the first one the dictionary ends
 *    …   …  how many sequences it spans; 0 if there is no dictionary
 *    …   …  number of events
 *    …   …  length of the text
 *    …   …  the text, compressed with zstd
 * ```
 *
 * The text of format 3 has two lines per event: the packed event, and its explanation as JSON or nothing. That of
 * format 4, for larger batches, has the time of the oldest event in its first line, and then a line for each section of
 * a block (columns.ts) except the sequences: common values are written once, so that little is left to compress. The
 * dictionary is the last 16 KiB of the texts of this zone's events with these sequences, so that even a single event
 * compresses well. It never starts before the oldest event of the zone that was not in a block when the frame was
 * written, so a tail that starts there can be read.
 *
 * Formats 1 and 2 have the same texts after a head of fixed size (frame-head.ts). They are read but not written.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { ColumnReader } from '../blocks/column-reader.ts';
import { findFirstMs, sectionCount, sequencesSection, writeSection } from '../blocks/columns.ts';
import { packEvent, unpackEvent } from '../../packed-event.ts';
import { columnRowsMin, dictionaryBytesMax } from '../limits.ts';
import type { StoredEvent } from '../stored-event.ts';
import { type FrameHead, type ReadFrameHead, writeFrameHead } from './frame-head.ts';

/** Events of a frame have consecutive sequences. */
const frameSections = Array.from({ length: sectionCount }, (_, section) => section).filter(
  (section) => section !== sequencesSection,
);
const level = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export interface Dictionary {
  readonly bytes: Buffer;
  /** The sequence of the first event whose text it may contain. */
  readonly start: number;
  /** The sequence after the last one. */
  readonly end: number;
}

export interface TailFrame {
  readonly zoneId: string;
  readonly firstSequence: number;
  readonly retentionMs: number;
  readonly rows: readonly StoredEvent[];
}

export function writeText(rows: readonly StoredEvent[]): Buffer {
  const text =
    chooseLayout(rows.length) === 'lines'
      ? rows.map(({ event, judged }) => `${packEvent(event)}\n${judged ?? ''}\n`).join('')
      : `${findFirstMs(rows)}\n${frameSections.map((section) => `${writeSection(section, rows)}\n`).join('')}`;
  return Buffer.from(text);
}

/** A few events are smaller as lines, because they resemble those before them. */
function chooseLayout(rows: number): FrameHead['layout'] {
  return rows < columnRowsMin ? 'lines' : 'columns';
}

export function writeFrame(frame: TailFrame, text: Buffer, dictionary: Dictionary): Buffer[] {
  const head = writeFrameHead({
    ...frame,
    layout: chooseLayout(frame.rows.length),
    dictionaryStart: dictionary.start,
    dictionaryEnd: dictionary.end,
    count: frame.rows.length,
    textLength: text.length,
  });
  const shared = dictionary.bytes.length === 0 ? {} : { dictionary: dictionary.bytes };
  return [head, zstdCompressSync(text, { ...level, ...shared })];
}

export function readText({ compressed, textLength }: ReadFrameHead, dictionary: Buffer): Buffer {
  const shared = dictionary.length === 0 ? {} : { dictionary };
  return zstdDecompressSync(compressed, { maxOutputLength: Math.max(1, textLength), ...shared });
}

/** `receivedMs`: when the frame was written. */
export function readRows(head: FrameHead, text: Buffer, receivedMs: number): StoredEvent[] {
  const { layout, firstSequence, retentionMs } = head;
  const lines = text.toString('utf8').split('\n');
  const found = layout === 'lines' ? readLines(lines) : readColumns(lines, head.count);
  return found.map(({ event, judged }, index) => {
    const atMs = Date.parse(event.datetime);
    const expiresMs = computeExpiry(atMs, receivedMs, retentionMs);
    return { sequence: firstSequence + index, atMs, expiresMs, event, judged };
  });
}

type FrameContent = Pick<StoredEvent, 'event' | 'judged'>;

function readLines(lines: readonly string[]): FrameContent[] {
  return Array.from({ length: lines.length >> 1 }, (_, index) => {
    const judged = lines[index * 2 + 1]!;
    return { event: unpackEvent(lines[index * 2]!), judged: judged === '' ? null : judged };
  });
}

function readColumns(lines: readonly string[], count: number): FrameContent[] {
  const reader = new ColumnReader((section) => lines[frameSections.indexOf(section) + 1], Number(lines[0]));
  return Array.from({ length: count }, (_, row) => {
    const judged = reader.judged(row);
    return { event: reader.event(row), judged: judged === null ? null : JSON.stringify(judged) };
  });
}

/** An event with a future time, from an edge whose clock is wrong, is not kept longer for that. */
export function computeExpiry(atMs: number, receivedMs: number, retentionMs: number): number {
  return Math.min(atMs, receivedMs) + retentionMs;
}

/** The last bytes of consecutive texts. */
export function keepLast(...texts: readonly Buffer[]): Buffer {
  const last = texts.at(-1)!;
  const whole = last.length >= dictionaryBytesMax ? last : Buffer.concat(texts);
  // Copies, so that the text of a large batch is not retained for its end.
  return Buffer.from(whole.subarray(Math.max(0, whole.length - dictionaryBytesMax)));
}
