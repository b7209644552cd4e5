/**
 * How many requests each zone had: by minute for two days, by hour for as long as the plan keeps events. The counts of
 * all zones are in one set of sorted runs (room `tables`), so that a minute of ten thousand zones is one small file.
 *
 * - `add` stores counts in memory. They can be read at once, and are on disk within a minute: a crash loses at most
 *   that much.
 * - Counts are summed: several edges, or several reports of one minute, become one row.
 * - `erase` removes a zone; counts of zones that do not exist are not stored.
 * - Damaged files are set aside and reported. Counting then restarts, because nothing depends on old counts.
 *
 * ```
 * owner  t:<zone id>
 * key    m<minute> or h<hour> since 1970, ten digits
 * value  traffic-counts.ts
 * ```
 *
 * One process at a time may open it; the caller holds the lock of the data directory.
 */
import { type Clock, type Timer, VirtualClock } from '#base';
import { type FileSystem, realFileSystem } from '#files';
import { SerialWork } from '#work';
import { type TableChange, type HeldTables, Tables, TablesDamageError } from '#tables';
import { KnownBatches } from './known-batches.ts';
import {
  aheadMinutesMax,
  housekeepingMs,
  mergeMs,
  minutesKeptMs,
  pendingRowsMax,
  writeMs,
} from './limits.ts';
import { addCounts, createCounts, readCounts, type TrafficRow, writeCounts } from './traffic-counts.ts';

export interface TrafficStoreOptions {
  /** Created if it does not exist; its parent must. */
  readonly directory: string;
  readonly clock: Clock;
  readonly durability?: 'disk' | 'os';
  /** How long the counts of a zone are kept; undefined if there is no such zone. */
  readonly retentionOf: (zoneId: string) => number | undefined;
  readonly log: (message: string, error?: unknown) => void;
  /** @internal Tests replace the disk. */
  readonly fs?: FileSystem;
}

export interface TrafficRange {
  /** Inclusive. */
  readonly sinceMs: number;
  /** Exclusive. */
  readonly untilMs: number;
  /**
   * The length of a span in the result: whole minutes, or whole hours if some minutes of the range are no longer kept.
   */
  readonly intervalMs: number;
}

const minuteMs = 60_000;
const hourMs = 3_600_000;
const ownerPrefix = 't:';

type Minutes = Map<number, number[]>;

export class TrafficStore {
  readonly directory: string;
  readonly #options: TrafficStoreOptions;
  readonly #clock: Clock;
  #tables: Tables;
  #position: number;
  /** By zone and minute: counts that are only in memory. */
  #pending = new Map<string, Minutes>();
  #pendingRows = 0;
  readonly #batches = new KnownBatches();
  /** Counts that are being written to the tables. */
  #writing: ReadonlyMap<string, Minutes> | undefined;
  /** Runs one task at a time: writing, dropping, erasing. */
  readonly #work = new SerialWork();
  #mergedMs: number;
  #isErased = false;
  #writeTimer: Timer | undefined;
  #houseTimer: Timer | undefined;
  #detachClock: (() => void) | undefined;
  #isClosed = false;

  private constructor(options: TrafficStoreOptions, tables: Tables) {
    this.directory = options.directory;
    this.#options = options;
    this.#clock = options.clock;
    this.#tables = tables;
    this.#position = tables.position;
    this.#mergedMs = this.#clock.now();
    if (this.#clock instanceof VirtualClock)
      this.#detachClock = this.#clock.attach(() => this.#work.untilIdle());
    this.#keepHouse();
  }

  static async open(options: TrafficStoreOptions): Promise<TrafficStore> {
    try {
      return new TrafficStore(options, openTables(options));
    } catch (error) {
      if (!(error instanceof TablesDamageError)) throw error;
      await setAside(options, error);
      return new TrafficStore(options, openTables(options));
    }
  }

  /**
   * Skips rows of unknown zones and of times that are not kept. A batch with the name of an earlier one was sent again,
   * and is not counted twice.
   */
  add(rows: readonly TrafficRow[], batch?: string): void {
    if (!this.#batches.add(batch)) return;
    const nowMs = this.#clock.now();
    const lastMinute = Math.floor(nowMs / minuteMs) + aheadMinutesMax;
    for (const { zoneId, minute, counts } of rows) {
      const keptMs = this.#options.retentionOf(zoneId);
      if (keptMs === undefined || minute * minuteMs <= nowMs - keptMs) continue;
      const sum = this.#findPending(zoneId, Math.min(minute, lastMinute));
      if (sum !== undefined) addCounts(sum, counts);
    }
    if (this.#pendingRows > 0) this.#writeSoon();
  }

  #findPending(zoneId: string, minute: number): number[] | undefined {
    const minutes: Minutes = this.#pending.get(zoneId) ?? new Map();
    const known = minutes.get(minute);
    if (known !== undefined) return known;
    if (this.#pendingRows >= pendingRowsMax) return undefined;
    const sum = createCounts();
    this.#pending.set(zoneId, minutes.set(minute, sum));
    this.#pendingRows++;
    return sum;
  }

  /** The counts of each span that has any, by its start. Spans are aligned to 1970. */
  async read(zoneId: string, range: TrafficRange): Promise<Map<number, number[]>> {
    const spans = new Map<number, number[]>();
    const add = (atMs: number, counts: readonly number[]): void => {
      const startMs = Math.floor(atMs / range.intervalMs) * range.intervalMs;
      const sum = spans.get(startMs) ?? createCounts();
      spans.set(startMs, sum);
      addCounts(sum, counts);
    };
    const { sinceMs, untilMs } = range;
    const owner = ownerPrefix + zoneId;
    const list = (kind: 'm' | 'h', unitMs: number): ReturnType<Tables['list']> => {
      const [start, end] = [Math.ceil(sinceMs / unitMs), Math.ceil(untilMs / unitMs)];
      return this.#tables.list(owner, { start: formatKey(kind, start), end: formatKey(kind, end) });
    };
    // A consistent snapshot: nothing is awaited before both lists have started.
    const stored = Promise.all([list('m', minuteMs), list('h', hourMs)]);
    for (const source of [this.#pending, this.#writing]) {
      for (const [minute, counts] of source?.get(zoneId) ?? []) {
        const atMs = minute * minuteMs;
        if (atMs >= sinceMs && atMs < untilMs) add(atMs, counts);
      }
    }
    const [minutes, hours] = await stored.catch(async (error: unknown) => {
      await this.#enqueue(() => this.#repair(error));
      return [[], []];
    });
    for (const [key, value] of minutes) add(parseKey(key) * minuteMs, readCounts(value));
    for (const [key, value] of hours) add(parseKey(key) * hourMs, readCounts(value));
    return spans;
  }

  /** Removes a zone at once; its counts disappear from disk with the next merge, within an hour or two. */
  erase(zoneId: string): Promise<void> {
    return this.#enqueue(async () => {
      this.#pendingRows -= this.#pending.get(zoneId)?.size ?? 0;
      this.#pending.delete(zoneId);
      this.#apply([{ owner: ownerPrefix + zoneId, drop: true }]);
      await this.#tables.flush();
      this.#isErased = true;
    });
  }

  /** Resolves when everything that was added so far is on disk. */
  write(): Promise<void> {
    return this.#enqueue(() => this.#write());
  }

  /** Sums minutes into hours and drops old counts. Runs automatically every hour. */
  housekeep(): Promise<void> {
    return this.#enqueue(async () => {
      const nowMs = this.#clock.now();
      for await (const owner of this.#tables.owners(ownerPrefix)) {
        const changes = await this.#listDue(owner, nowMs);
        if (changes.length > 0) this.#apply(changes);
      }
      await this.#tables.flush();
      if (!this.#isErased && nowMs - this.#mergedMs < mergeMs) return;
      await this.#tables.compact();
      this.#mergedMs = nowMs;
      this.#isErased = false;
    });
  }

  /** All current files, for a copy. */
  async hold(): Promise<HeldTables> {
    await this.write();
    return this.#tables.hold();
  }

  /** Reads every file and reports damage. */
  scrub(): ReturnType<Tables['scrub']> {
    return this.#tables.scrub();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#writeTimer?.cancel();
    this.#houseTimer?.cancel();
    this.#detachClock?.();
    await this.write().catch((error: unknown) => this.#reportLoss(error));
    await this.#tables.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #write(): Promise<void> {
    // After a failed write, the tables keep their data until the disk accepts it. They get no more until then.
    if (this.#tables.needsFlush) await this.#tables.flush();
    if (this.#pendingRows === 0) return;
    const writing = this.#pending;
    this.#writing = writing;
    this.#pending = new Map();
    this.#pendingRows = 0;
    try {
      this.#apply(await this.#listChanges(writing));
    } catch (error) {
      this.#putBack(writing);
      throw error;
    } finally {
      this.#writing = undefined;
    }
    await this.#tables.flush();
  }

  #putBack(rows: ReadonlyMap<string, Minutes>): void {
    for (const [zoneId, minutes] of rows) {
      for (const [minute, counts] of minutes) {
        const sum = this.#findPending(zoneId, minute);
        if (sum !== undefined) addCounts(sum, counts);
      }
    }
  }

  async #listChanges(added: ReadonlyMap<string, Minutes>): Promise<TableChange[]> {
    const changes: TableChange[] = [];
    for (const [zoneId, minutes] of added) {
      const owner = ownerPrefix + zoneId;
      for (const [minute, counts] of minutes) {
        const key = formatKey('m', minute);
        changes.push({ owner, key, value: await this.#sum(owner, key, counts) });
      }
    }
    return changes;
  }

  async #sum(owner: string, key: string, counts: readonly number[]): Promise<Uint8Array> {
    // Most rows are new, and awaiting a known result would cost more than everything else.
    const found = this.#tables.get(owner, key);
    const stored = found instanceof Promise ? await found : found;
    if (stored === undefined) return writeCounts(counts);
    const sum = readCounts(stored);
    addCounts(sum, counts);
    return writeCounts(sum);
  }

  /** The changes to a zone's rows that are due to their age. */
  async #listDue(owner: string, nowMs: number): Promise<TableChange[]> {
    const keptMs = this.#options.retentionOf(owner.slice(ownerPrefix.length));
    if (keptMs === undefined) return [{ owner, drop: true }];
    const firstMinute = Math.floor((nowMs - keptMs) / minuteMs);
    const firstByMinute = Math.max(firstMinute, Math.floor((nowMs - minutesKeptMs) / hourMs) * 60);
    const minutes = await this.#tables.list(owner, { start: 'm', end: formatKey('m', firstByMinute) });
    const young = minutes.filter(([key]) => parseKey(key) >= firstMinute);
    const oldHours = await this.#tables.list(owner, {
      start: 'h',
      end: formatKey('h', Math.floor((nowMs - keptMs) / hourMs)),
    });
    const changes: TableChange[] = [...minutes, ...oldHours].map(([key]) => ({ owner, key, value: null }));
    for (const [hour, rows] of Map.groupBy(young, ([key]) => Math.floor(parseKey(key) / 60))) {
      const sum = createCounts();
      for (const [, value] of rows) addCounts(sum, readCounts(value));
      const key = formatKey('h', hour);
      changes.push({ owner, key, value: await this.#sum(owner, key, sum) });
    }
    return changes;
  }

  #apply(changes: readonly TableChange[]): void {
    this.#position++;
    this.#tables.apply(changes, this.#position);
  }

  /** There is no timer while there is nothing to write. */
  #writeSoon(): void {
    this.#writeTimer ??= this.#clock.setTimer(
      this.#clock.now() + writeMs,
      () => {
        this.#writeTimer = undefined;
        this.write().catch((error: unknown) => {
          this.#reportLoss(error);
          if (!this.#isClosed) this.#writeSoon();
        });
      },
      'housekeeping',
    );
  }

  #keepHouse(): void {
    const atMs = this.#clock.now() + housekeepingMs;
    this.#houseTimer = this.#clock.setTimer(
      atMs,
      () => {
        this.#keepHouse();
        this.housekeep().catch((error: unknown) =>
          this.#options.log('could not drop old request counts', error),
        );
      },
      'housekeeping',
    );
  }

  #reportLoss(error: unknown): void {
    this.#options.log('could not write request counts; they stay in memory while there is room', error);
  }

  #enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#work.run(() => work().catch((error: unknown) => this.#repair(error).then(work)));
  }

  /** Rethrows errors other than damage. */
  async #repair(error: unknown): Promise<void> {
    if (!(error instanceof TablesDamageError)) throw error;
    // Closed first, so that it writes nothing to the directory that replaces it.
    await this.#tables.close();
    await setAside(this.#options, error);
    this.#tables = openTables(this.#options);
    this.#position = this.#tables.position;
  }
}

function openTables({ directory, durability = 'disk', fs = realFileSystem }: TrafficStoreOptions): Tables {
  return Tables.open({ directory, durable: durability === 'disk', fs });
}

async function setAside(options: TrafficStoreOptions, error: TablesDamageError): Promise<void> {
  const { directory, clock, log, fs = realFileSystem } = options;
  const aside = `${directory}.damaged-${clock.now()}`;
  await fs.rename(directory, aside);
  log(`request counts are damaged and were set aside as ${aside}; counting restarts`, error);
}

function formatKey(kind: 'm' | 'h', count: number): string {
  return kind + String(Math.max(0, count)).padStart(10, '0');
}

function parseKey(key: string): number {
  return Number(key.slice(1));
}
