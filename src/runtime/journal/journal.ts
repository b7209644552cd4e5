/**
 * The durable log with group commit. Records that are appended while one `fdatasync` runs are collected, and
 * the next one covers them all. So the number of syncs depends on the speed of the disk, not on the number of objects
 * that write, and the event loop never waits for the disk.
 *
 * Promises:
 * - `append` assigns the record its position at once. Records become durable in order of position.
 * - `durable` resolves when the record is on disk (with durability `os`: passed to the kernel); `settle`
 *   callbacks run just before, in order of position.
 * - If a write or a sync fails, every record not yet durable fails with `JournalWriteError`, and none of them is ever
 *   read: they are struck out, and the log continues in a new file, because after a failed sync the content of the old
 *   one after the last durable record is unknown.
 * - Everything that `read` and `scan` return was verified; anything else is a `JournalDamageError`.
 */
import { crc32 } from 'node:zlib';
import { type Clock, assert } from '#base';
import type { FileSystem, OpenFile } from '#files';
import { JournalDamageError, JournalRangeError, JournalWriteError } from './errors.ts';
import { batchBytesMax, readAheadBytes, writeInlineBytesMax } from './limits.ts';
import { JournalStats } from './journal-stats.ts';
import type { CommitQueue, Log } from './log.ts';
import type { Appended, RecordBatch, JournalOptions } from './options.ts';
import type { Position } from './position.ts';
import {
  type JournalRecord,
  type RecordPart,
  readClaimedLength,
  readRecord,
  recordHeaderBytes,
  measureSpan,
  writeRecord,
} from './record.ts';
import { type RecoveredEnd, readRecords, recoverEnd, strikeOut } from './recovery.ts';
import {
  isCurrentLayout,
  toOffset,
  preallocate,
  type Room,
  spareName,
  toRoom,
  readHeader,
  segmentHeaderBytes,
  startSegment,
} from './segment.ts';
import { checkSegment } from './scrub.ts';
import { type JournalFile, SegmentList, closeFile } from './segment-list.ts';

export class Journal implements Log, CommitQueue {
  readonly directory: string;
  readonly #fs: FileSystem;
  readonly #clock: Clock;
  readonly #sync: boolean;
  readonly #room: Room;
  readonly #segments: SegmentList;
  #segmentCapacity: number;
  #durableEnd: Position;
  /** The end of what is known to be on disk; with durability `os` it lags behind. */
  #settledEnd: Position;
  #nextPosition: Position;
  #lastTime = 0;
  readonly #queue: RecordBatch[] = [];
  /** The batch that is being written. */
  #current: RecordBatch | undefined;
  #writing: Promise<void> | undefined;
  #whenFree: (() => void) | undefined;
  #failures = 0;
  #lastFailure: JournalWriteError | undefined;
  /** Whether the last write failed. */
  #isFailing = false;
  #mustRoll = false;
  /** The next segment's file, while it is being created; false if that failed, and then the next roll tries again. */
  #spare: Promise<boolean> | undefined;
  #closed = false;
  /** The bytes that a crash left after the end, which were cut when the log was opened. */
  readonly cutBytes: number;
  readonly stats = new JournalStats();

  private constructor(options: JournalOptions, segments: SegmentList, recovered: RecoveredEnd) {
    this.directory = options.directory;
    this.#fs = options.fs;
    this.#clock = options.clock;
    this.#sync = (options.durability ?? 'disk') === 'disk';
    this.#room = toRoom(options);
    this.#segments = segments;
    const { file, layout } = segments.open(segments.newest);
    this.#segmentCapacity = file.sizeSync() - layout.headerBytes;
    // Records of an older layout are read, but not written.
    this.#mustRoll = !isCurrentLayout(layout);
    this.#durableEnd = recovered.end;
    this.#settledEnd = recovered.end;
    this.#nextPosition = recovered.end;
    this.#lastTime = recovered.time;
    this.cutBytes = recovered.cutBytes;
  }

  static async open(options: JournalOptions): Promise<Journal> {
    const segments = await SegmentList.open(options);
    try {
      const { file } = segments.open(segments.newest);
      const recovered = recoverEnd(file, readHeader(file, segments.newest.start), segments);
      const journal = new Journal(options, segments, recovered);
      if (options.salvage === true) return journal;
      segments.checkOlder();
      journal.#recoverTime();
      return journal;
    } catch (error) {
      segments.close();
      throw error;
    }
  }

  /** The position of the oldest record still kept. */
  get start(): Position {
    return this.#segments.start;
  }

  /** The position after the newest durable record. */
  get durableEnd(): Position {
    return this.#durableEnd;
  }

  /** The position the next record will get. */
  get end(): Position {
    return this.#nextPosition;
  }

  /** How often writing has failed: a record that was not durable at the time of the last failure never will be. */
  get failures(): number {
    return this.#failures;
  }

  /** The last write failure. */
  get lastFailure(): JournalWriteError | undefined {
    return this.#lastFailure;
  }

  /** Resolves if the last write became durable, or if a new write does; rejects with the reason why not. */
  async probe(): Promise<void> {
    if (this.#isFailing && !this.#closed) await this.#enqueue([]).durable;
  }

  /** Whether records are being written to disk. */
  get busy(): boolean {
    return this.#writing !== undefined;
  }

  /**
   * Calls back once, when the running sync has returned and nothing else waits for one. A caller that has more to append may
   * collect it until then, because it could not become durable any sooner.
   */
  whenFree(callback: () => void): void {
    assert(this.busy && this.#whenFree === undefined, 'whenFree is called only while the journal is busy');
    this.#whenFree = callback;
  }

  append(payload: readonly Uint8Array[], settle?: () => void): Appended {
    assert(!this.#closed, 'nothing is appended to a closed journal');
    return this.#enqueue(payload, settle);
  }

  /** Resolves when everything appended before is durable, rejects if it cannot be. */
  async flush(): Promise<void> {
    await (this.#queue.at(-1) ?? this.#current)?.durable.promise;
  }

  /** Syncs what was passed to the kernel, so that even with durability `os` a power cut loses nothing before this point. */
  async harden(): Promise<void> {
    if (!this.#sync) await this.#settle(this.#segments.newest.opened!.file);
  }

  /**
   * Reads the durable record at a position that came from `append`, from `scan` or from another record. `allocate`
   * provides the memory for a large record.
   */
  read(position: Position, allocate: (bytes: number) => Buffer = Buffer.allocUnsafe): JournalRecord {
    if (position < this.start || position >= this.#durableEnd) {
      throw new JournalRangeError(
        `cannot read the journal at position ${position}: it holds ${this.start} to ${this.#durableEnd}`,
      );
    }
    const segment = this.#segments.findHolding(position);
    const { file, layout } = this.#segments.open(segment);
    const offset = toOffset(layout, position);
    const place = { position, salt: layout.salt };
    let bytes: Buffer = Buffer.allocUnsafe(readAheadBytes);
    let got = file.readSync(bytes, offset);
    const length = readClaimedLength(bytes.subarray(0, got), 0, place) ?? 0;
    if (length > got && length <= this.#durableEnd - position) {
      bytes = allocate(length);
      got = file.readSync(bytes, offset);
    }
    const record = readRecord(bytes.subarray(0, got), 0, place);
    if (record === undefined) {
      throw new JournalDamageError('a record is broken', { file: file.path, offset, position });
    }
    return record;
  }

  /** Reads a part of a record's payload that was read before, and checks that it is the same. */
  readPart(position: Position, { offset, bytes, crc }: RecordPart): Buffer {
    const segment = this.#segments.findHolding(position);
    const { file, layout } = this.#segments.open(segment);
    const place = toOffset(layout, position) + recordHeaderBytes + offset;
    const part = Buffer.allocUnsafe(bytes);
    if (file.readSync(part, place) === bytes && crc32(part) === crc) return part;
    throw new JournalDamageError('a record is broken', { file: file.path, offset: place, position });
  }

  /** Reads the durable records from a record's position on, in order. */
  *scan(from: Position, to: Position = this.#durableEnd): Generator<JournalRecord> {
    for (const { segment, start, end } of this.#segments.listUpTo(to)) {
      if (end <= from || start >= to) continue;
      if (start < this.start)
        throw new JournalRangeError(`history before ${this.start} was dropped during the scan`);
      const range = { from: Math.max(from, start) as Position, to: Math.min(end, to) as Position };
      const { file, layout } = this.#segments.open(segment);
      for (const record of readRecords(file, layout, range)) {
        this.#lastTime = Math.max(this.#lastTime, record.time);
        // An empty payload is the mark of a clean close.
        if (record.payload.length > 0) yield record;
      }
    }
  }

  /** The segments that contain only records before `position`, oldest first, each with its end. */
  segmentsBefore(position: Position): Array<{ start: Position; end: Position }> {
    const segments = this.#segments.listUpTo(this.#durableEnd).slice(0, -1);
    return segments.filter(({ end }) => end <= position).map(({ start, end }) => ({ start, end }));
  }

  /** Drops the oldest history: removes every segment that ends at or before `position`. */
  async dropBefore(position: Position): Promise<void> {
    while (this.segmentsBefore(position).length > 0) {
      // Each removal is synced before the next: if a crash undid one but not a later one, that would look like damage.
      await this.#fs.fsyncDirectory(this.directory);
      await this.#segments.removeOldest();
    }
    await this.#fs.fsyncDirectory(this.directory);
  }

  /** Continues in another segment, so that every record appended before can be dropped. */
  async roll(): Promise<void> {
    await this.flush().catch(() => {});
    this.#mustRoll = true;
    await this.#enqueue([]).durable;
  }

  /** Reads every record, in pieces, and reports the damaged ones, continuing with the next segment. */
  async *scrub(onBytes: (bytes: number) => void = () => {}): AsyncGenerator<JournalDamageError> {
    for (const { start, end } of this.#segments.listUpTo(this.#durableEnd)) {
      try {
        await checkSegment({ fs: this.#fs, path: this.#segments.formatPath(start), start, end, onBytes });
      } catch (error) {
        // The segment was dropped while it was read, or before.
        if (start < this.start) continue;
        if (!(error instanceof JournalDamageError)) throw error;
        yield error;
      }
    }
  }

  /** The files of the log up to `end`, for a copy of it: their first bytes do not change. */
  listFiles(end: Position): JournalFile[] {
    return this.#segments.listFiles(end);
  }

  /** Makes everything durable, writes the mark of a clean end, and closes the files. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#writing;
    await this.harden().catch(() => {});
    // The mark says that everything before it is on disk: after it, a broken last record cannot be mistaken for a torn one.
    await this.#enqueue([]).durable.catch(() => {});
    await this.#writing;
    await this.#spare;
    this.#segments.close();
  }

  #enqueue(payload: readonly Uint8Array[], settle?: () => void): Appended {
    const span = measureSpan(payload.reduce((sum, part) => sum + part.length, 0));
    const position = this.#nextPosition;
    // A clock may be set back, but times in history must not decrease.
    this.#lastTime = Math.max(this.#lastTime, this.#clock.now());
    const time = this.#lastTime;
    let batch = this.#queue.at(-1);
    if (
      batch === undefined ||
      batch.span + span > Math.min(batchBytesMax, this.#room.bytes - segmentHeaderBytes)
    ) {
      batch = { records: [], span: 0, durable: Promise.withResolvers() };
      this.#queue.push(batch);
    }
    batch.records.push({ position, time, payload, settle });
    batch.span += span;
    this.#nextPosition = (position + span) as Position;
    this.#writing ??= this.#drain();
    return { position, end: this.#nextPosition, time, durable: batch.durable.promise };
  }

  async #drain(): Promise<void> {
    // Wait for other appends in this microtask, so that the first sync covers them all.
    await Promise.resolve();
    for (let batch = this.#queue.shift(); batch !== undefined; batch = this.#queue.shift()) {
      this.#current = batch;
      try {
        await this.#write(batch);
      } catch (error) {
        this.#fail(batch, new JournalWriteError(error));
        this.#notifyFree();
        continue;
      }
      // In one synchronous step: no reader may see an end that the tables have not reached.
      this.#durableEnd = (this.#durableEnd + batch.span) as Position;
      if (this.#sync) this.#settledEnd = this.#durableEnd;
      this.#isFailing = false;
      this.stats.writtenBytes += batch.span;
      this.stats.records += batch.records.length;
      for (const { settle } of batch.records) settle?.();
      batch.durable.resolve();
      if (this.#queue.length === 0) this.#notifyFree();
    }
    this.#current = undefined;
    this.#writing = undefined;
  }

  #notifyFree(): void {
    const waiting = this.#whenFree;
    this.#whenFree = undefined;
    waiting?.();
  }

  /** Fails every record that is not yet durable; their positions are assigned again. */
  #fail(current: RecordBatch, error: JournalWriteError): void {
    this.#failures++;
    this.#lastFailure = error;
    this.#isFailing = true;
    this.#mustRoll = true;
    this.#nextPosition = this.#durableEnd;
    for (const { durable } of [current, ...this.#queue.splice(0)]) {
      // An unhandled rejection would end the process; the caller decides what the failure means.
      durable.promise.catch(() => {});
      durable.reject(error);
    }
  }

  async #write({ records, span }: RecordBatch): Promise<void> {
    if (this.#mustRoll || span > this.#measureRoom()) await this.#roll(span);
    const { file, layout } = this.#segments.newest.opened!;
    const bytes = Buffer.alloc(span);
    const settled = this.#settledEnd;
    let at = 0;
    for (const { position, time, payload } of records) {
      at = writeRecord(bytes, at, { position, settled, time, payload }, layout.salt);
    }
    const offset = toOffset(layout, this.#durableEnd);
    try {
      // A small write is a copy into the page cache, which is faster here than on a thread.
      if (span <= writeInlineBytesMax) file.writeSync(bytes, offset);
      else await file.write(bytes, offset);
      if (this.#sync) await this.#syncFile(file);
    } catch (error) {
      await strikeOut(file, offset);
      throw error;
    }
  }

  async #syncFile(file: OpenFile): Promise<void> {
    const startMs = performance.now();
    await file.fdatasync();
    this.stats.syncSeconds.observe((performance.now() - startMs) / 1_000);
  }

  /** Syncs the newest segment's file: then everything passed to the kernel so far is on disk. */
  async #settle(file: OpenFile): Promise<void> {
    const end = this.#durableEnd;
    await file.fdatasync();
    this.#settledEnd = Math.max(this.#settledEnd, end) as Position;
  }

  #measureRoom(): number {
    const { start } = this.#segments.newest;
    return this.#segmentCapacity - (this.#durableEnd - start);
  }

  /** Starts the next segment at the durable end, with room for at least `span`. */
  async #roll(span: number): Promise<void> {
    const { directory } = this;
    const spare = `${directory}/${spareName}`;
    const bytes = Math.max(this.#room.bytes, segmentHeaderBytes + span);
    const full = this.#segments.newest;
    const { file, layout } = full.opened!;
    // A power cut may lose the end of the log, but never anything before it.
    if (!this.#sync) await this.#settle(file);
    const spareReady = await this.#spare;
    this.#spare = undefined;
    if (spareReady !== true || bytes !== this.#room.bytes) {
      if (this.#fs.readdirSync(directory).includes(spareName)) await this.#fs.unlink(spare);
      await preallocate(this.#fs, spare, { ...this.#room, bytes });
    }
    const start = this.#durableEnd;
    this.#segments.add(await startSegment(this.#fs, { directory, spare, start }));
    this.#segmentCapacity = bytes - segmentHeaderBytes;
    this.#mustRoll = false;
    if (full.start !== start) file.truncateSync(toOffset(layout, start));
    closeFile(full);
    this.#spare = preallocate(this.#fs, spare, this.#room).then(
      () => true,
      () => false,
    );
  }

  /** If the newest segment has no records, the last time is at the end of the one before. */
  #recoverTime(): void {
    const older = this.#segments.listUpTo(this.#durableEnd).at(-2);
    if (older === undefined || this.#lastTime > 0) return;
    for (const { time } of this.scan(older.start)) this.#lastTime = Math.max(this.#lastTime, time);
  }
}
