/**
 * Records that were fetched for a while: in memory while they are few, in a scratch file beyond that. So materialising
 * a database takes memory for the newest image of each page, not for its log.
 */
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { JournalRangeError, type JournalRecord, type Position, type RecordPart } from '#journal';
import { crc32 } from 'node:zlib';
import { spoolMemoryBytesMax } from '../limits.ts';
import type { ClusterRecord } from './cluster-port.ts';

/** What a record costs in addition to its payload: about the size of its row. */
const rowBytes = 104;

interface Spooled {
  readonly time: number;
  readonly bytes: number;
  readonly payload: Uint8Array | undefined;
  /** Its offset in the file. */
  readonly offset: number;
}

export class RecordSpool {
  readonly #createPath: () => string;
  readonly #records = new Map<Position, Spooled>();
  #memoryBytes = 0;
  #file: { readonly descriptor: number; readonly path: string; end: number } | undefined;

  /** `createPath` returns a path that was never used. */
  constructor(createPath: () => string) {
    this.#createPath = createPath;
  }

  has(position: Position): boolean {
    return this.#records.has(position);
  }

  add({ position, time, payload }: ClusterRecord): void {
    if (this.#records.has(position)) return;
    const bytes = payload.length;
    if (this.#memoryBytes + bytes <= spoolMemoryBytesMax) {
      this.#memoryBytes += bytes;
      this.#records.set(position, { time, bytes, payload, offset: 0 });
      return;
    }
    const file = this.#openFile();
    writeWhole(file.descriptor, payload, file.end);
    this.#records.set(position, { time, bytes, payload: undefined, offset: file.end });
    file.end += bytes;
  }

  read(position: Position): JournalRecord {
    const record = this.#find(position);
    const payload = record.payload ?? this.#readFile(record.offset, record.bytes);
    const { time, bytes } = record;
    return { position, time, payload, settled: position, end: measureRecord(position, bytes) };
  }

  /** Reads a part that was read before, and checks that it is the same. */
  readPart(position: Position, { offset, bytes, crc }: RecordPart): Buffer {
    const record = this.#find(position);
    const part =
      record.payload === undefined
        ? this.#readFile(record.offset + offset, bytes)
        : Buffer.from(record.payload.subarray(offset, offset + bytes));
    if (part.length === bytes && crc32(part) === crc) return part;
    throw new JournalRangeError(`a record that was fetched for a while has changed: position ${position}`);
  }

  clear(): void {
    this.#records.clear();
    this.#memoryBytes = 0;
    if (this.#file === undefined) return;
    closeSync(this.#file.descriptor);
    unlinkSync(this.#file.path);
    this.#file = undefined;
  }

  #find(position: Position): Spooled {
    const record = this.#records.get(position);
    if (record === undefined) throw new JournalRangeError(`no record was fetched for position ${position}`);
    return record;
  }

  #openFile(): { readonly descriptor: number; readonly path: string; end: number } {
    if (this.#file === undefined) {
      const path = this.#createPath();
      this.#file = { descriptor: openSync(path, 'wx+', 0o600), path, end: 0 };
    }
    return this.#file;
  }

  #readFile(offset: number, bytes: number): Buffer {
    const buffer = Buffer.allocUnsafe(bytes);
    const got = readSync(this.#file!.descriptor, buffer, 0, bytes, offset);
    return buffer.subarray(0, got);
  }
}

/** The end of a record, for the purpose of log weights. */
export function measureRecord(position: Position, payloadBytes: number): Position {
  return (position + payloadBytes + rowBytes) as Position;
}

function writeWhole(descriptor: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length;)
    done += writeSync(descriptor, bytes, done, bytes.length - done, at + done);
}
