/**
 * A segment is one file of the log, named after the position of its first record:
 * `journal/<16 hexadecimal digits>.log`. It starts with a header of 32 bytes:
 *
 * ```
 *   0  8  "GHJOURNL"
 *   8  4  format version, 1
 *  12  4  crc32 of bytes 16 … 32
 *  16  8  position of the first record, as a double
 *  24  8  length of the file when the segment was started, as a double
 * ```
 *
 * The record at position p stands at byte 32 + p - start. The log ends inside the newest segment, whose
 * rest is zeros written ahead and whose file is as long as its header says; every other segment ends where
 * the next one starts, whatever may stand behind that in the file, and is cut there once the next one is safe.
 */
import { crc32 } from 'node:zlib';
import type { FileSystem, OpenFile } from '#base';
import { JournalDamageError } from './errors.ts';
import { preallocatePieceBytes } from './limits.ts';
import { type Position, formatPosition, parsePosition } from './position.ts';

export const segmentHeaderBytes = 32;
const magic = Buffer.from('GHJOURNL');
const version = 1;

export function segmentName(start: Position): string {
  return `${formatPosition(start)}.log`;
}

export function startOfSegment(name: string): Position | undefined {
  return name.endsWith('.log') ? parsePosition(name.slice(0, -'.log'.length)) : undefined;
}

/** Where in its file the record at `position` stands. */
export function offsetOf(start: Position, position: Position): number {
  return segmentHeaderBytes + position - start;
}

function encodeHeader(start: Position, fileBytes: number): Buffer {
  const header = Buffer.alloc(segmentHeaderBytes);
  magic.copy(header);
  header.writeUInt32LE(version, 8);
  header.writeDoubleLE(start, 16);
  header.writeDoubleLE(fileBytes, 24);
  header.writeUInt32LE(crc32(header.subarray(16)), 12);
  return header;
}

/** Throws unless the file starts with the header of the segment it is named after. */
export function checkHeader(file: OpenFile, start: Position): { fileBytes: number } {
  const header = Buffer.alloc(segmentHeaderBytes);
  const got = file.readSync(header, 0);
  const place = { file: file.path, offset: 0, position: start };
  if (got < segmentHeaderBytes) throw new JournalDamageError('a segment is cut short in its header', place);
  const fileBytes = header.readDoubleLE(24);
  if (header.equals(encodeHeader(start, fileBytes))) return { fileBytes };
  if (header.subarray(0, 8).equals(magic) && header.readUInt32LE(8) > version) {
    throw new JournalDamageError('a segment was written by a later version of Gatehouse', place);
  }
  throw new JournalDamageError('a segment header is wrong', place);
}

/** Writes zeros, so that a later fdatasync finds the blocks already there and the length unchanged. */
export async function preallocate(fs: FileSystem, path: string, bytes: number): Promise<void> {
  const file = await fs.open(path, 'create');
  try {
    const zeros = Buffer.alloc(Math.min(preallocatePieceBytes, bytes));
    for (let at = 0; at < bytes; at += zeros.length) {
      await file.write(zeros.subarray(0, Math.min(zeros.length, bytes - at)), at);
    }
    await file.fdatasync();
  } catch (error) {
    // On a full disk, half a file must not keep others from the last of the space.
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
): Promise<OpenFile> {
  const path = `${directory}/${segmentName(start)}`;
  const file = await fs.open(spare, 'edit');
  try {
    await file.write(encodeHeader(start, file.sizeSync()), 0);
    await file.fdatasync();
  } finally {
    file.closeSync();
  }
  await fs.rename(spare, path);
  await fs.fsyncDirectory(directory);
  return await fs.open(path, 'edit');
}
