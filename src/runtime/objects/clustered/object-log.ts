/**
 * The log of one object that this process has claimed. Appending is synchronous here, as it is for the journal of a
 * directory: the record gets its position at once and becomes durable later.
 *
 * Records are read from a spool; callers fetch them into it before they read them.
 */
import { type Clock, assert } from '#base';
import { SerialWork } from '#work';
import {
  type Appended,
  type JournalRecord,
  JournalWriteError,
  type Log,
  type Position,
  type RecordFacts,
  type RecordPart,
  noPosition,
} from '#journal';
import type { HistoryLoader } from '../history/historian.ts';
import { type Owner, decodeCommit } from '../ledger/records.ts';
import type { ClusterImages } from './cluster-images.ts';
import type { Checkpoint, ClusterRecord, ObjectClaim } from './cluster-port.ts';
import { RecordSpool, measureRecord } from './record-spool.ts';

export interface ObjectLogParts {
  readonly owner: Owner;
  readonly claim: ObjectClaim;
  readonly label: string;
  readonly clock: Clock;
  readonly images: ClusterImages;
  readonly createSpoolPath: () => string;
  /** Called after records without history were appended. */
  readonly onGrown: () => void;
}

export class ObjectLog implements Log, HistoryLoader {
  readonly directory: string;
  readonly claim: ObjectClaim;
  failures = 0;
  lastFailure: JournalWriteError | undefined;
  /** Bytes of records without history since the last checkpoint. */
  weight = 0;
  readonly #owner: Owner;
  readonly #clock: Clock;
  readonly #images: ClusterImages;
  readonly #onGrown: () => void;
  readonly #spool: RecordSpool;
  #floor: Position;
  #durable: Position;
  #newest: Position;
  #lastTime = 0;
  #durableTime = 0;
  /** How many fetches are still in use, and the last one that was started. */
  #loads = 0;
  readonly #fetching = new SerialWork();

  constructor(parts: ObjectLogParts) {
    this.directory = parts.label;
    this.claim = parts.claim;
    this.#owner = parts.owner;
    this.#clock = parts.clock;
    this.#images = parts.images;
    this.#onGrown = parts.onGrown;
    this.#spool = new RecordSpool(parts.createSpoolPath);
    this.#floor = parts.claim.checkpoint?.floor ?? noPosition;
    this.#durable = parts.claim.position;
    this.#newest = parts.claim.position;
  }

  /** Whether nothing more can be appended here: only a later claim can continue. */
  get isOver(): boolean {
    return this.failures > 0 || this.claim.isLost;
  }

  get start(): Position {
    return (this.#floor + 1) as Position;
  }

  get durableEnd(): Position {
    return (this.#durable + 1) as Position;
  }

  get end(): Position {
    return (this.#newest + 1) as Position;
  }

  append(payload: readonly Uint8Array[], settle?: () => void, facts: RecordFacts = {}): Appended {
    const position = this.end;
    const bytes = payload.reduce((sum, part) => sum + part.length, 0);
    // The clock may be set back, or the previous process's clock was ahead, but times in history must not decrease.
    this.#lastTime = Math.max(this.#lastTime, this.#clock.now());
    const time = this.#lastTime;
    this.#newest = position;
    const { name, alarm, chained } = facts;
    const durable = this.claim.append({ position, time, payload, name, alarm }).then(
      () => {
        this.#durable = position;
        this.#durableTime = time;
        if (chained === false) this.weight += bytes;
        settle?.();
        if (chained === false) this.#onGrown();
      },
      (error: unknown) => {
        this.failures++;
        this.lastFailure = new JournalWriteError(error);
        throw this.lastFailure;
      },
    );
    // The waiters are notified of a failure; without a waiter it must not end the process.
    durable.catch(() => {});
    return { position, end: measureRecord(position, bytes), time, durable };
  }

  read(position: Position): JournalRecord {
    return this.#spool.read(position);
  }

  readPart(position: Position, part: RecordPart): Buffer {
    return this.#spool.readPart(position, part);
  }

  /** Keeps a record that was read when the object was claimed and may soon be needed again. */
  keep(record: ClusterRecord): void {
    this.#spool.add(record);
  }

  /** Later records get at least this time. */
  continueFrom(time: number): void {
    this.#lastTime = Math.max(this.#lastTime, time);
    this.#durableTime = this.#lastTime;
  }

  /** The newest durable and the newest appended record. */
  get marks(): Readonly<Record<'durable' | 'appended', Pick<Checkpoint, 'position' | 'time'>>> {
    return {
      durable: { position: this.#durable, time: this.#durableTime },
      appended: { position: this.#newest, time: this.#lastTime },
    };
  }

  /** Writes a checkpoint to the cluster: from now on a claim starts there. */
  async writeCheckpoint(checkpoint: Omit<Checkpoint, 'floor'>, floor: Position = this.#floor): Promise<void> {
    assert(checkpoint.position <= this.#durable, 'a checkpoint is of records that are durable');
    await this.claim.writeCheckpoint({ ...checkpoint, floor });
    this.#floor = floor;
    this.weight = 0;
  }

  loadState(snapshots: readonly Position[], position: Position): Promise<Disposable> {
    return this.#load(async () => {
      const from = snapshots.findLast((each) => each <= position) ?? this.#floor;
      // Between a snapshot and where the log starts are only records that change nothing.
      await this.#fetch(Math.max(from + 1, this.start) as Position, position);
      await this.#fetchImage(snapshots, position);
    });
  }

  loadRecords(): Promise<Disposable> {
    return this.#load(async () => {
      await this.#images.list(this.#owner, this.claim);
      await this.#fetch(this.start, this.#durable);
    });
  }

  /** Releases what was fetched, unless it is still being read. */
  close(): void {
    if (this.#loads > 0) return;
    this.#spool.clear();
    this.#images.forget(this.#owner);
  }

  /** Runs one fetch at a time; what it fetched stays until every caller has disposed of it. */
  async #load(fetch: () => Promise<void>): Promise<Disposable> {
    this.#loads++;
    let isNeeded = true;
    const dispose = (): void => {
      if (!isNeeded) return;
      isNeeded = false;
      this.#loads--;
      this.close();
    };
    try {
      await this.#fetching.run(fetch);
      return { [Symbol.dispose]: dispose };
    } catch (error) {
      dispose();
      throw error;
    }
  }

  async #fetch(from: Position, to: Position): Promise<void> {
    let first: number = from;
    let last: number = to;
    while (first <= last && this.#spool.has(first as Position)) first++;
    while (last >= first && this.#spool.has(last as Position)) last--;
    if (first > last) return;
    for await (const record of this.claim.read(first as Position, last as Position)) this.#spool.add(record);
  }

  /** Fetches the image below the records of a state, if there is one. */
  async #fetchImage(snapshots: readonly Position[], position: Position): Promise<void> {
    for (let at = position; at !== noPosition;) {
      if (snapshots.includes(at)) return await this.#images.fetch(this.#owner, this.claim, at, 'snapshot');
      // The reader of a missing record reports it.
      if (at < this.start) return;
      const { base, previous } = decodeCommit(this.read(at).payload);
      if (base !== undefined) {
        if (base.image !== noPosition) await this.#images.fetch(this.#owner, this.claim, base.image, 'base');
        return;
      }
      at = previous;
    }
  }
}
