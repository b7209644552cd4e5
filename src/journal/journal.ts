/**
 * The durable log with group commit. While one `fdatasync` runs, whatever is appended gathers; the next
 * one covers it all. So the disk is asked as often as it can answer and no oftener, however many objects
 * write, and the event loop never waits for it.
 *
 * Promises:
 * - `append` gives the record its position at once. Records become durable in order of position.
 * - `durable` resolves when the record is on disk (with durability `os`: handed to the kernel); `settle`
 *   callbacks run just before, in order of position.
 * - If a write or a sync fails, every record not yet durable fails with `JournalWriteError`, and none of
 *   them will ever be read: the log goes on in a new file, because after a failed sync nobody knows what
 *   the old one holds behind the last durable record.
 * - Whatever `read` and `scan` return was checked; anything else is a `JournalDamageError`.
 */
import { type Clock, type FileSystem, type OpenFile, assert } from '#base';
import { JournalDamageError, JournalRangeError, JournalWriteError } from './errors.ts';
import { batchBytesMax, openSegmentsMax, readAheadBytes, segmentBytesDefault, writeInlineBytesMax } from './limits.ts';
import { type Position, firstPosition } from './position.ts';
import { type JournalRecord, claimedLength, readRecord, recordSpan, writeRecord } from './record.ts';
import { offsetOf, recordsOf, recoverEnd } from './recovery.ts';
import {
  checkHeader,
  preallocate,
  segmentHeaderBytes,
  segmentName,
  startOfSegment,
  startSegment,
} from './segment.ts';

export interface JournalOptions {
  readonly directory: string;
  readonly fs: FileSystem;
  readonly clock: Clock;
  /** `disk`: durable means synced. `os`: durable means handed to the kernel; a power cut may lose it. */
  readonly durability?: 'disk' | 'os';
  readonly segmentBytes?: number;
}

export interface Appended {
  readonly position: Position;
  readonly end: Position;
  readonly time: number;
  readonly durable: Promise<void>;
}

interface Pending {
  readonly position: Position;
  readonly span: number;
  readonly time: number;
  readonly payload: readonly Uint8Array[];
  readonly settle: (() => void) | undefined;
}

interface Segment {
  readonly start: Position;
  file: OpenFile | undefined;
}

const spareName = 'spare.tmp';

export class Journal {
  readonly directory: string;
  readonly #fs: FileSystem;
  readonly #clock: Clock;
  readonly #sync: boolean;
  readonly #segmentBytes: number;
  /** Oldest first; the last one is written to. */
  readonly #segments: Segment[];
  #segmentCapacity: number;
  #durableEnd: Position;
  #nextPosition: Position;
  #lastTime = 0;
  #queue: Pending[] = [];
  #queueDurable = Promise.withResolvers<void>();
  #writing: Promise<void> | undefined;
  #mustRoll = false;
  /** The next segment's file in the making; false if that failed, which the next roll tries again. */
  #spare: Promise<boolean> | undefined;
  #closed = false;
  /** What a crash had left behind the end, cut when the log was opened. */
  readonly cutBytes: number;

  private constructor(options: JournalOptions, segments: Segment[], recovered: { end: Position; cutBytes: number }) {
    this.directory = options.directory;
    this.#fs = options.fs;
    this.#clock = options.clock;
    this.#sync = (options.durability ?? 'disk') === 'disk';
    this.#segmentBytes = options.segmentBytes ?? segmentBytesDefault;
    this.#segments = segments;
    this.#segmentCapacity = this.#newest().file!.sizeSync() - segmentHeaderBytes;
    this.#durableEnd = recovered.end;
    this.#nextPosition = recovered.end;
    this.cutBytes = recovered.cutBytes;
  }

  static async open(options: JournalOptions): Promise<Journal> {
    const { directory, fs } = options;
    if (fs.mkdirSync(directory)) fs.fsyncDirectorySync(`${directory}/..`);
    const names = fs.readdirSync(directory);
    if (names.includes(spareName)) fs.unlinkSync(`${directory}/${spareName}`);
    const starts = names.map(startOfSegment).filter((start) => start !== undefined);
    if (starts.length === 0) {
      const spare = `${directory}/${spareName}`;
      await preallocate(fs, spare, options.segmentBytes ?? segmentBytesDefault);
      const file = await startSegment(fs, { directory, spare, start: firstPosition });
      return new Journal(options, [{ start: firstPosition, file }], { end: firstPosition, cutBytes: 0 });
    }
    const segments: Segment[] = starts.map((start) => ({ start, file: undefined }));
    const newest = segments.at(-1)!;
    newest.file = fs.openSync(`${directory}/${segmentName(newest.start)}`, 'edit');
    checkHeader(newest.file, newest.start);
    const journal = new Journal(options, segments, recoverEnd(newest.file, newest.start));
    journal.#checkSizes();
    return journal;
  }

  /** The position of the oldest record still kept. */
  get start(): Position {
    return this.#segments[0]!.start;
  }

  /** The position behind the newest durable record. */
  get durableEnd(): Position {
    return this.#durableEnd;
  }

  /** The position the next record will get. */
  get end(): Position {
    return this.#nextPosition;
  }

  /** Whether records are on their way to disk. */
  get busy(): boolean {
    return this.#writing !== undefined;
  }

  append(payload: readonly Uint8Array[], settle?: () => void): Appended {
    assert(!this.#closed, 'nothing is appended to a closed journal');
    const span = recordSpan(payload.reduce((sum, part) => sum + part.length, 0));
    const position = this.#nextPosition;
    // A clock may be set back; history must stay in order all the same.
    this.#lastTime = Math.max(this.#lastTime, this.#clock.now());
    const time = this.#lastTime;
    this.#queue.push({ position, span, time, payload, settle });
    this.#nextPosition = (position + span) as Position;
    this.#writing ??= this.#drain();
    return { position, end: this.#nextPosition, time, durable: this.#queueDurable.promise };
  }

  /** Resolves when everything appended before is durable. */
  async flush(): Promise<void> {
    if (this.#queue.length > 0) await this.#queueDurable.promise;
    else await this.#writing;
  }

  /** The durable record at a position that an earlier `append`, `scan` or record named. */
  read(position: Position): JournalRecord {
    if (position < this.start || position >= this.#durableEnd) {
      throw new JournalRangeError(
        `cannot read the journal at position ${position}: it holds ${this.start} to ${this.#durableEnd}`,
      );
    }
    const segment = this.#segmentOf(position);
    const file = this.#open(segment);
    const offset = offsetOf(segment.start, position);
    let bytes = Buffer.allocUnsafe(readAheadBytes);
    let got = file.readSync(bytes, offset);
    const length = claimedLength(bytes.subarray(0, got), 0, position) ?? 0;
    if (length > got && length <= this.#durableEnd - position) {
      bytes = Buffer.allocUnsafe(length);
      got = file.readSync(bytes, offset);
    }
    const record = readRecord(bytes.subarray(0, got), 0, position);
    if (record === undefined) {
      throw new JournalDamageError('a record is broken', { file: file.path, offset, position });
    }
    return record;
  }

  /** The durable records from a record's position on, in order. */
  *scan(from: Position, to: Position = this.#durableEnd): Generator<JournalRecord> {
    for (const [index, segment] of [...this.#segments].entries()) {
      const end = Math.min(this.#segments[index + 1]?.start ?? this.#durableEnd, to) as Position;
      if (end <= from || segment.start >= to) continue;
      const range = { start: segment.start, from: Math.max(from, segment.start) as Position, to: end };
      for (const record of recordsOf(this.#open(segment), range)) {
        this.#lastTime = Math.max(this.#lastTime, record.time);
        // An empty payload is the mark of a clean close.
        if (record.payload.length > 0) yield record;
      }
    }
  }

  /** The segments that hold only records before `position`, oldest first, each with where it ends. */
  segmentsBefore(position: Position): Array<{ start: Position; end: Position }> {
    const ends = this.#segments.slice(1).map((segment) => segment.start);
    return ends.flatMap((end, index) => (end <= position ? [{ start: this.#segments[index]!.start, end }] : []));
  }

  /** Gives the oldest history back: every segment that ends at or before `position` is removed. */
  async dropBefore(position: Position): Promise<void> {
    for (const { start } of this.segmentsBefore(position)) {
      const segment = this.#segments.shift()!;
      segment.file?.closeSync();
      await this.#fs.unlink(`${this.directory}/${segmentName(start)}`);
    }
    await this.#fs.fsyncDirectory(this.directory);
  }

  /** Reads every record there is and reports what is broken, going on with the next segment. */
  *scrub(): Generator<JournalDamageError> {
    for (const [index, segment] of [...this.#segments].entries()) {
      const to = this.#segments[index + 1]?.start ?? this.#durableEnd;
      try {
        const file = this.#open(segment);
        checkHeader(file, segment.start);
        for (const record of recordsOf(file, { start: segment.start, from: segment.start, to })) void record;
      } catch (error) {
        if (!(error instanceof JournalDamageError)) throw error;
        yield error;
      }
    }
  }

  /** Makes everything durable, marks the end as clean, and closes the files. */
  async close(): Promise<void> {
    if (this.#closed) return;
    // The mark says "settled to here": from now on a broken last record cannot pass for a torn one.
    const marked = this.append([]).durable;
    this.#closed = true;
    await marked.catch(() => {});
    await this.#writing;
    await this.#spare;
    for (const segment of this.#segments) segment.file?.closeSync();
  }

  async #drain(): Promise<void> {
    // Let the appends of this moment gather, so that the first sync covers them all.
    await null;
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      const durable = this.#queueDurable;
      this.#queue = [];
      this.#queueDurable = Promise.withResolvers();
      try {
        await this.#write(batch);
      } catch (error) {
        this.#fail(durable, new JournalWriteError(error));
        continue;
      }
      for (const { settle } of batch) settle?.();
      durable.resolve();
    }
    this.#writing = undefined;
  }

  /** Nothing that was appended and is not durable ever will be: positions are given out anew. */
  #fail(durable: PromiseWithResolvers<void>, error: JournalWriteError): void {
    this.#mustRoll = true;
    this.#queue = [];
    this.#nextPosition = this.#durableEnd;
    // Without a waiter a rejection here would end the process; the caller decides what it means.
    durable.promise.catch(() => {});
    this.#queueDurable.promise.catch(() => {});
    durable.reject(error);
    this.#queueDurable.reject(error);
    this.#queueDurable = Promise.withResolvers();
  }

  async #write(batch: readonly Pending[]): Promise<void> {
    for (let index = 0; index < batch.length; ) {
      const first = batch[index]!;
      if (this.#mustRoll || first.span > this.#room()) await this.#roll(first);
      let span = 0;
      const from = index;
      const room = Math.max(first.span, Math.min(this.#room(), batchBytesMax));
      while (index < batch.length && span + batch[index]!.span <= room) span += batch[index++]!.span;
      await this.#writeRun(batch.slice(from, index), span);
    }
  }

  async #writeRun(run: readonly Pending[], span: number): Promise<void> {
    const bytes = Buffer.alloc(span);
    const settled = this.#sync ? this.#durableEnd : (0 as Position);
    let at = 0;
    for (const { position, time, payload } of run) {
      at = writeRecord(bytes, at, { position, settled, time, payload });
    }
    const { start, file } = this.#newest();
    const offset = offsetOf(start, run[0]!.position);
    // A small write is a copy into the page cache: quicker done here than by way of a thread.
    if (span <= writeInlineBytesMax) file!.writeSync(bytes, offset);
    else await file!.write(bytes, offset);
    if (this.#sync) await file!.fdatasync();
    this.#durableEnd = (this.#durableEnd + span) as Position;
  }

  #room(): number {
    const { start } = this.#newest();
    return this.#segmentCapacity - (this.#durableEnd - start);
  }

  /** Starts the next segment at the durable end, large enough for `first`. */
  async #roll(first: Pending): Promise<void> {
    const { directory } = this;
    const spare = `${directory}/${spareName}`;
    const bytes = Math.max(this.#segmentBytes, segmentHeaderBytes + first.span);
    const spareReady = await this.#spare;
    this.#spare = undefined;
    if (spareReady !== true || bytes !== this.#segmentBytes) {
      if (this.#fs.readdirSync(directory).includes(spareName)) await this.#fs.unlink(spare);
      await preallocate(this.#fs, spare, bytes);
    }
    const start = this.#durableEnd;
    const file = await startSegment(this.#fs, { directory, spare, start });
    const full = this.#newest();
    if (full.start === start) {
      // Nothing durable was in it: the new segment has taken its name and place.
      this.#segments.pop();
      full.file!.closeSync();
    } else {
      full.file!.truncateSync(offsetOf(full.start, start));
    }
    this.#segments.push({ start, file });
    this.#segmentCapacity = bytes - segmentHeaderBytes;
    this.#mustRoll = false;
    this.#spare = preallocate(this.#fs, spare, this.#segmentBytes).then(
      () => true,
      () => false,
    );
  }

  #newest(): Segment {
    return this.#segments.at(-1)!;
  }

  #segmentOf(position: Position): Segment {
    let low = 0;
    let high = this.#segments.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#segments[middle]!.start <= position) low = middle;
      else high = middle - 1;
    }
    return this.#segments[low]!;
  }

  #open(segment: Segment): OpenFile {
    if (segment.file !== undefined) return segment.file;
    const open = this.#segments.filter((other) => other.file !== undefined && other !== this.#newest());
    if (open.length >= openSegmentsMax) {
      open[0]!.file!.closeSync();
      open[0]!.file = undefined;
    }
    segment.file = this.#fs.openSync(`${this.directory}/${segmentName(segment.start)}`, 'read');
    return segment.file;
  }

  /** A segment that is shorter than its records, or missing between two others, is found at once. */
  #checkSizes(): void {
    for (const [index, segment] of this.#segments.entries()) {
      const next = this.#segments[index + 1];
      if (next === undefined) return;
      const file = this.#open(segment);
      checkHeader(file, segment.start);
      const offset = offsetOf(segment.start, next.start);
      if (file.sizeSync() < offset) {
        throw new JournalDamageError('a segment is cut short, or the one behind it is missing', {
          file: file.path,
          offset: file.sizeSync(),
          position: (segment.start + file.sizeSync() - segmentHeaderBytes) as Position,
        });
      }
    }
  }
}
