/**
 * The log of one object, in memory. Records that are appended during a sync wait for the next one, as in a journal. The
 * owner of the home decides when a sync ends, and how.
 *
 * Invariants:
 * - A record counts from the moment that its sync has succeeded, or that a crash has kept it; in order, with no gap.
 * - A record that was acknowledged is never lost.
 * - When a record is lost, so is every later one, and their waiters are rejected.
 */
import { crc32 } from 'node:zlib';
import {
  type Appended,
  type CommitQueue,
  JournalRangeError,
  type JournalRecord,
  JournalWriteError,
  type Log,
  type Position,
  type RecordPart,
} from '#journal';
import type { Owner } from '../ledger/records.ts';

class MemoryRecord implements JournalRecord {
  readonly position: Position;
  readonly settled: Position;
  readonly time: number;
  readonly end: Position;
  readonly #parts: readonly Uint8Array[];

  constructor(position: Position, settled: Position, time: number, parts: readonly Uint8Array[]) {
    this.position = position;
    this.settled = settled;
    this.time = time;
    this.end = (position + 1) as Position;
    this.#parts = parts;
  }

  /** Built on demand: only history reads it, and few lives read history. */
  get payload(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

interface UnsyncedRecord {
  readonly record: JournalRecord;
  readonly settle: (() => void) | undefined;
  readonly durable: PromiseWithResolvers<void>;
}

export interface MemoryLogParts {
  readonly owner: Owner;
  readonly now: () => number;
  /** Whether nothing can be appended. */
  readonly isDown: () => boolean;
  /** Makes records durable: resolves when they are, rejects if they cannot be. */
  readonly sync: (owner: Owner) => Promise<void>;
}

export class MemoryLog implements Log, CommitQueue {
  readonly directory = 'memory';
  readonly start = 1 as Position;
  failures = 0;
  lastFailure: JournalWriteError | undefined;
  readonly #parts: MemoryLogParts;
  readonly #durable: JournalRecord[] = [];
  /** The records that a sync is making durable, and those that wait for the next one. */
  #syncing: UnsyncedRecord[] = [];
  #waiting: UnsyncedRecord[] = [];
  #whenFree: Array<() => void> = [];
  #lastTime = 0;
  /** Counts crashes, to recognise syncs that one has interrupted. */
  #crashes = 0;

  constructor(parts: MemoryLogParts) {
    this.#parts = parts;
  }

  get durableEnd(): Position {
    return (this.#durable.length + 1) as Position;
  }

  get end(): Position {
    return (this.durableEnd + this.pending) as Position;
  }

  /** How many records are not yet durable. */
  get pending(): number {
    return this.#syncing.length + this.#waiting.length;
  }

  get busy(): boolean {
    return this.#syncing.length > 0;
  }

  whenFree(callback: () => void): void {
    this.#whenFree.push(callback);
  }

  append(payload: readonly Uint8Array[], settle?: () => void): Appended {
    if (this.#parts.isDown()) throw new JournalWriteError(new Error('the host has stopped'));
    const position = this.end;
    this.#lastTime = Math.max(this.#lastTime, this.#parts.now());
    const record = new MemoryRecord(position, this.durableEnd, this.#lastTime, payload);
    const durable = Promise.withResolvers<void>();
    durable.promise.catch(() => {});
    this.#waiting.push({ record, settle, durable });
    if (!this.busy) this.#startSync();
    return { position, end: record.end, time: record.time, durable: durable.promise };
  }

  read(position: Position): JournalRecord {
    const record = this.#durable[position - 1];
    if (record === undefined) throw new JournalRangeError(`there is no record at position ${position}`);
    return record;
  }

  readPart(position: Position, { offset, bytes, crc }: RecordPart): Buffer {
    const part = Buffer.from(this.read(position).payload.subarray(offset, offset + bytes));
    if (crc32(part) !== crc) throw new JournalRangeError(`a part of record ${position} is another one`);
    return part;
  }

  async flush(): Promise<void> {
    await (this.#waiting.at(-1) ?? this.#syncing.at(-1))?.durable.promise;
  }

  probe(): Promise<void> {
    return Promise.resolve();
  }

  /** Ends every sync: the first `kept` pending records become durable without notice, the others are lost. */
  crash(kept: number): void {
    const pending = [...this.#syncing, ...this.#waiting];
    this.#crashes++;
    this.#keep(pending.slice(0, kept));
    this.#lose(pending, new Error('the host has stopped'));
  }

  #startSync(): void {
    const { owner, sync } = this.#parts;
    const crashes = this.#crashes;
    this.#syncing = this.#waiting;
    this.#waiting = [];
    sync(owner).then(
      () => crashes === this.#crashes && this.#finishSync(),
      (error: unknown) =>
        crashes === this.#crashes && this.#lose([...this.#syncing, ...this.#waiting], error),
    );
  }

  #finishSync(): void {
    const synced = this.#syncing;
    this.#syncing = [];
    this.#keep(synced);
    for (const { durable } of synced) durable.resolve();
    if (this.#waiting.length > 0) this.#startSync();
    else this.#notifyFree();
  }

  #keep(records: readonly UnsyncedRecord[]): void {
    for (const { record, settle } of records) {
      this.#durable.push(record);
      settle?.();
    }
  }

  #lose(records: readonly UnsyncedRecord[], cause: unknown): void {
    this.#syncing = [];
    this.#waiting = [];
    if (records.length > 0) {
      this.failures++;
      this.lastFailure = new JournalWriteError(cause);
    }
    for (const { durable } of records) durable.reject(this.lastFailure);
    this.#notifyFree();
  }

  #notifyFree(): void {
    for (const callback of this.#whenFree.splice(0)) callback();
  }
}
