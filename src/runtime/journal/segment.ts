/**
 * A segment is one file of the log, named after the position of its first record:
 * `journal/<16 hexadecimal digits>.log`. It starts with a header of 40 bytes:
 *
 * ```
 *   0  8  "GHJOURNL"
 *   8  4  format version, 2
 *  12  4  crc32 of bytes 16 … 40
 *  16  8  position of the first record, as a double
 *  24  8  length of the file when the segment was started, as a double
 *  32  8  salt (see salt.ts)
 * ```
 *
 * In version 1, which 0.1.0 wrote, the header ends before the salt, and the salt is zero. Such segments are read;
 * the log continues in another one.
 *
 * The record at position p stands at byte 40 + p - start, in version 1 at byte 32 + p - start. The log ends inside the
 * newest segment, whose rest is zeros written ahead and whose file is as long as its header says; every other segment
 * ends where the next one starts, whatever may follow in the file, and is truncated there once the next one is safe.
 */
import { crc32 } from 'node:zlib';
import type { FileSystem, OpenFile } from '#files';
import { JournalDamageError } from './errors.ts';
import { preallocatePieceBytes, segmentBytesDefault } from './limits.ts';
import { type Position, formatPosition, parsePosition } from './position.ts';
import { type Salt, createSalt, noSalt, readSalt, saltBytes, writeSalt } from './salt.ts';

/** A preallocated file that becomes the next segment. */
export const spareName = 'spare.tmp';

/** The header length of segments in the current layout. */
export const segmentHeaderBytes = 40;
const unsaltedHeaderBytes = segmentHeaderBytes - saltBytes;
const magic = Buffer.from('GHJOURNL');
const version = 2;
const unsaltedVersion = 1;

/** Where the records of a segment are and how they are marked. */
export interface SegmentLayout {
  readonly start: Position;
  readonly headerBytes: number;
  readonly salt: Salt;
}

export interface SegmentHeader extends SegmentLayout {
  /** The length of the file when the segment was started. */
  readonly fileBytes: number;
}

/** Whether this is the layout that segments are written in. */
export function isCurrentLayout({ headerBytes }: SegmentLayout): boolean {
  return headerBytes === segmentHeaderBytes;
}

export function formatSegmentName(start: Position): string {
  return `${formatPosition(start)}.log`;
}

export function parseSegmentName(name: string): Position | undefined {
  return name.endsWith('.log') ? parsePosition(name.slice(0, -'.log'.length)) : undefined;
}

/** The offset of the record at `position` in its file. */
export function toOffset({ start, headerBytes }: SegmentLayout, position: Position): number {
  return headerBytes + position - start;
}

/** The position of a byte in a segment's file. */
export function toPosition({ start, headerBytes }: SegmentLayout, offset: number): Position {
  return (start + offset - headerBytes) as Position;
}

function encodeHeader({ start, headerBytes, fileBytes, salt }: SegmentHeader): Buffer {
  const header = Buffer.alloc(headerBytes);
  magic.copy(header);
  header.writeUInt32LE(headerBytes === segmentHeaderBytes ? version : unsaltedVersion, 8);
  header.writeDoubleLE(start, 16);
  header.writeDoubleLE(fileBytes, 24);
  if (headerBytes === segmentHeaderBytes) writeSalt(header, salt, unsaltedHeaderBytes);
  header.writeUInt32LE(crc32(header.subarray(16)), 12);
  return header;
}

/** Throws unless the file starts with the header of the segment in its name. */
export function readHeader(file: OpenFile, start: Position): SegmentHeader {
  const bytes = Buffer.alloc(segmentHeaderBytes);
  const got = file.readSync(bytes, 0);
  const place = { file: file.path, offset: 0, position: start };
  if (got < unsaltedHeaderBytes) throw new JournalDamageError('a segment is cut short in its header', place);
  const written = bytes.readUInt32LE(8);
  const isUnsalted = written === unsaltedVersion;
  if (!isUnsalted && got < segmentHeaderBytes) {
    throw new JournalDamageError('a segment is cut short in its header', place);
  }
  const header: SegmentHeader = {
    start,
    headerBytes: isUnsalted ? unsaltedHeaderBytes : segmentHeaderBytes,
    fileBytes: bytes.readDoubleLE(24),
    salt: isUnsalted ? noSalt : readSalt(bytes, unsaltedHeaderBytes),
  };
  if (bytes.subarray(0, header.headerBytes).equals(encodeHeader(header))) return header;
  if (bytes.subarray(0, 8).equals(magic) && written > version) {
    throw new JournalDamageError('a segment was written by a later version of Gatehouse', place);
  }
  throw new JournalDamageError('a segment header is wrong', place);
}

/** Throws if the file of a segment ends before its records do. */
export function checkFileLength(file: OpenFile, layout: SegmentLayout, end: Position): void {
  const size = file.sizeSync();
  if (size >= toOffset(layout, end)) return;
  throw new JournalDamageError('a segment is truncated, or the one after it is missing', {
    file: file.path,
    offset: size,
    position: toPosition(layout, size),
  });
}

/** The file of a segment before it has records. */
export interface Room {
  readonly bytes: number;
  /**
   * `written`: zeros are written, so that a later fdatasync finds the blocks allocated and the length unchanged.
   * `hole`: only the length is set; nothing is written twice, and a sync takes longer.
   */
  readonly ahead: 'written' | 'hole';
}

/** Without durability `disk` no caller waits for a sync: writing everything twice would save no time. */
export function toRoom({
  segmentBytes = segmentBytesDefault,
  durability = 'disk',
  ahead = durability === 'disk' ? 'written' : 'hole',
}: {
  readonly segmentBytes?: number;
  readonly durability?: 'disk' | 'os';
  readonly ahead?: Room['ahead'];
}): Room {
  return { bytes: segmentBytes, ahead };
}

export async function preallocate(fs: FileSystem, path: string, { bytes, ahead }: Room): Promise<void> {
  const file = await fs.open(path, 'create');
  try {
    const zeros = Buffer.alloc(Math.min(preallocatePieceBytes, bytes));
    const written = ahead === 'written' ? bytes : 0;
    for (let at = 0; at < written; at += zeros.length) {
      await file.write(zeros.subarray(0, Math.min(zeros.length, bytes - at)), at);
    }
    if (ahead === 'hole') file.truncateSync(bytes);
    await file.fdatasync();
  } catch (error) {
    // On a full disk, an incomplete file must not take up the last of the space.
    await fs.unlink(path).catch(() => {});
    throw error;
  } finally {
    file.closeSync();
  }
}

/** Turns a preallocated file into the segment that starts at `start`. */
export async function startSegment(
  fs: FileSystem,
  { directory, spare, start }: { directory: string; spare: string; start: Position },
): Promise<{ layout: SegmentLayout; file: OpenFile }> {
  const path = `${directory}/${formatSegmentName(start)}`;
  const file = await fs.open(spare, 'edit');
  const layout: SegmentLayout = { start, headerBytes: segmentHeaderBytes, salt: createSalt() };
  try {
    await file.write(encodeHeader({ ...layout, fileBytes: file.sizeSync() }), 0);
    await file.fdatasync();
  } finally {
    file.closeSync();
  }
  await fs.rename(spare, path);
  await fs.fsyncDirectory(directory);
  return { layout, file: await fs.open(path, 'edit') };
}
