/**
 * The activity logs of all zones of a data directory. Events are appended in batches, found by time, and leave by age.
 *
 * ```
 * <directory>/tail/          a journal of what was received last
 * <directory>/…Z-….events    blocks: events of one zone, by field, compressed
 * ```
 *
 * - `append` resolves when the events are on disk: in the tail, with one sync for all zones.
 * - Some minutes later, or when there are enough for a block, they are put into one, and the tail lets go of them.
 * - Blocks are in segments by the time when their events leave, half an hour each: then the file is removed.
 * - An event is stored once, even if it is sent again.
 * - The events of one request share one explanation, which is kept with one of them.
 * - Damage is reported and costs the events of one block, not the log.
 *
 * It may be opened by one process at a time; the lock of the data directory is the caller's.
 */
import { type Clock, type FileSystem, realFileSystem, type Timer, VirtualClock } from '#base';
import { compileCondition, type Condition } from './condition.ts';
import type { RecordedEvent, SecurityEvent } from './event.ts';
import { type EventGroups, GroupCounter, type GroupOptions } from './groups.ts';
import type { Judged } from './judged/judged.ts';
import { findRowsMax, groupRowsMax, pageEventsMax } from './limits.ts';
import { EventsDamageError } from './store/errors.ts';
import { type HeldEventFiles, linkFiles, removeLinks } from './store/held-files.ts';
import { findEvent, type FoundById, listStoredIds } from './store/blocks/find-by-id.ts';
import {
  housekeepingMs,
  pendingMsMax,
  pendingBytesMax,
  segmentIdleMs,
  tailBytesMax,
  zoneIdBytesMax,
} from './store/limits.ts';
import { compileBlockTest } from './store/blocks/block-condition.ts';
import { type EventCursor, Scan, type ScanOptions } from './store/blocks/scan.ts';
import { Segments } from './store/blocks/segments.ts';
import { cutPending, readStoredSequences } from './store/cut.ts';
import type { TimedEvent } from './store/row.ts';
import { Tail } from './store/tail/tail.ts';

export interface EventRange {
  /** Inclusive. */
  readonly sinceMs: number;
  /** Exclusive. */
  readonly untilMs: number;
  readonly condition?: Condition;
}

export interface EventPage {
  readonly events: readonly SecurityEvent[];
  /**
   * Where to continue; undefined if there are no more. A page with a cursor may be shorter than requested, even empty.
   */
  readonly cursor?: EventCursor;
}

export interface FindOptions {
  readonly limit: number;
  readonly order: 'newest' | 'oldest';
  readonly cursor?: EventCursor;
}

export interface EventStoreOptions {
  /** Created if it does not exist; its parent must. */
  readonly directory: string;
  readonly clock: Clock;
  /** As in the options of a runtime. */
  readonly durability?: 'disk' | 'os';
  /** Events are kept at most this long, whatever `append` says. */
  readonly retentionMsMax?: number;
  readonly log: (message: string, error?: unknown) => void;
  /** @internal Tests replace the disk. */
  readonly fs?: FileSystem;
}

/** What the events of a zone take on disk. */
export interface ZoneEventsSize {
  readonly zoneId: string;
  readonly events: number;
  readonly bytes: number;
}

export class EventStore {
  readonly directory: string;
  readonly #clock: Clock;
  readonly #log: EventStoreOptions['log'];
  readonly #retentionMsMax: number;
  readonly #segments: Segments;
  readonly #tail: Tail;
  /** What runs one after the other: cutting, dropping, erasing. */
  #work: Promise<unknown> = Promise.resolve();
  #isCutting = false;
  /** Counts events' moves from the tail into blocks. */
  #moves = 0;
  #lastFailure: unknown;
  #timer: Timer | undefined;
  #detachClock: (() => void) | undefined;
  #isClosed = false;

  private constructor(
    options: EventStoreOptions,
    segments: Segments,
    openTail: (onFull: () => void) => Tail,
  ) {
    const { directory, clock, log, retentionMsMax = Infinity } = options;
    this.directory = directory;
    this.#clock = clock;
    this.#log = log;
    this.#retentionMsMax = retentionMsMax;
    this.#segments = segments;
    this.#tail = openTail(() => this.#cutSoon());
  }

  static async open(options: EventStoreOptions): Promise<EventStore> {
    const { directory, clock, durability = 'disk', fs = realFileSystem, log } = options;
    if (fs.mkdirSync(directory)) fs.fsyncDirectorySync(`${directory}/..`);
    const onDamage = (damage: EventsDamageError): void =>
      log('events are damaged; the rest is served', damage);
    removeLinks(fs, directory);
    const segments = Segments.open({ fs, directory, onDamage });
    let onFull = (): void => {};
    const tail = await Tail.open({
      directory: `${directory}/tail`,
      fs,
      clock,
      durability,
      onFull: () => onFull(),
      onDamage,
    });
    const store = new EventStore(options, segments, (given) => {
      onFull = given;
      return tail;
    });
    await store.#recover();
    return store;
  }

  /** Resolves when the events are on disk, except those that the log has already, or that are too old for it. */
  async append(zoneId: string, events: readonly RecordedEvent[], retentionMs: number): Promise<void> {
    if (Buffer.byteLength(zoneId) > zoneIdBytesMax || zoneId === '')
      throw new RangeError(`a zone id has 1 to ${zoneIdBytesMax} bytes: ${zoneId}`);
    await this.#makeRoom();
    const keptMs = Math.round(Math.min(retentionMs, this.#retentionMsMax));
    const oldestMs = this.#clock.now() - keptMs;
    const young: TimedEvent[] = [];
    for (const { event, judged } of events) {
      const atMs = Date.parse(event.datetime);
      if (atMs > oldestMs) young.push(judged === undefined ? { event, atMs } : { event, judged, atMs });
    }
    let stored: ReadonlySet<string> | undefined;
    for (let moves = -1; moves !== this.#moves;) {
      moves = this.#moves;
      stored = await listStoredIds(this.#segments, zoneId, young);
    }
    const fresh = removeKnown(young, [stored!, ...this.#tail.idsOf(zoneId)]);
    // One that was sent before may still be on its way to disk.
    if (fresh.length < young.length) await this.#tail.flush();
    if (fresh.length > 0) await this.#tail.append(zoneId, fresh, keptMs);
  }

  async find(zoneId: string, range: EventRange, options: FindOptions): Promise<EventPage> {
    const { limit, order, cursor } = options;
    const wanted = Math.min(limit, pageEventsMax);
    const events: SecurityEvent[] = [];
    let scanned = 0;
    const scan = this.#scan({ zoneId, ...range, order, cursor }, range.condition);
    for await (const step of scan.steps()) {
      if (step.kind === 'found') {
        const event = await scan.read(step.found);
        if (event !== undefined) events.push(event);
        const { atMs, sequence } = step.found;
        if (events.length === wanted) return { events, cursor: { atMs, sequence } };
        continue;
      }
      scanned += step.count;
      // A search that continues here has to get further than this one.
      if (scanned >= findRowsMax && step.at.atMs !== cursor?.atMs) return { events, cursor: step.at };
    }
    return { events };
  }

  async group(zoneId: string, range: EventRange, options: GroupOptions): Promise<EventGroups> {
    const counter = new GroupCounter(options);
    let scanned = 0;
    const scan = this.#scan({ zoneId, ...range, order: 'newest' }, range.condition);
    for await (const { count, events } of scan.batches(counter.fields)) {
      for (const [atMs, event] of events) counter.add(event, atMs);
      scanned += count;
      if (scanned >= groupRowsMax) return counter.getResult(false);
    }
    return counter.getResult(true);
  }

  async get(zoneId: string, id: string): Promise<FoundById | undefined> {
    const rows = this.#tail.rowsOf(zoneId);
    const row = rows.find(({ event }) => event.id === id);
    if (row === undefined) return findEvent(this.#segments, zoneId, id);
    const { event } = row;
    const judged = rows.find((each) => each.judged !== null && each.event.rayName === event.rayName)?.judged;
    return { event, judged: judged == null ? undefined : (JSON.parse(judged) as Judged) };
  }

  /**
   * Deletes the events of a zone: when it resolves, nothing of them is on disk. Call it again after a crash before
   * that.
   */
  erase(zoneId: string): Promise<void> {
    return this.#enqueue(async () => {
      await this.#tail.forget(zoneId);
      await this.#emptyTail();
      await this.#segments.eraseZone(zoneId);
      this.#moves++;
    });
  }

  /** Resolves when everything that was appended so far is on disk, rejects if it cannot be. */
  flush(): Promise<void> {
    return this.#tail.flush();
  }

  /** Resolves if the disk takes events. After a write that failed it tries one; otherwise it costs nothing. */
  checkWritable(): Promise<void> {
    return this.#tail.checkWritable();
  }

  /**
   * Drops what is due: events whose time is over, and the tail of what is in blocks. Runs by itself every few minutes.
   */
  housekeep(): Promise<void> {
    return this.#enqueue(async () => {
      const nowMs = this.#clock.now();
      this.#tail.releaseOlder(nowMs - pendingMsMax);
      await this.#cut();
      await this.#segments.sealIdle(nowMs - segmentIdleMs);
      const expired = this.#segments.all.filter(
        ({ name, summary }) => name.expiresMs <= nowMs || summary.lastMs + this.#retentionMsMax <= nowMs,
      );
      await this.#segments.drop(new Set(expired));
      await this.#tail.rollOlder(nowMs - pendingMsMax);
      await this.#tail.trim();
    });
  }

  /**
   * Drops the oldest events until so many bytes are free, or none are left in blocks. Returns how many bytes that were.
   */
  dropOldest(bytes: number): Promise<number> {
    return this.#enqueue(async () => {
      const dropped = new Set<Segments['all'][number]>();
      let freed = 0;
      for (const segment of this.#segments.all.toSorted((a, b) => a.summary.lastMs - b.summary.lastMs)) {
        if (freed >= bytes) break;
        freed += segment.bytes;
        dropped.add(segment);
      }
      await this.#segments.drop(dropped);
      return freed;
    });
  }

  /** What each zone's events take in blocks. */
  async measureZones(): Promise<ZoneEventsSize[]> {
    const sizes = new Map<string, { zoneId: string; events: number; bytes: number }>();
    for (const segment of this.#segments.all) {
      for (const { zoneId, rows, length, sections } of await this.#segments.heads(segment)) {
        if (sections === 0) continue;
        const size = sizes.get(zoneId) ?? { zoneId, events: 0, bytes: 0 };
        size.events += rows;
        size.bytes += length;
        sizes.set(zoneId, size);
      }
    }
    return [...sizes.values()].toSorted((a, b) => b.bytes - a.bytes);
  }

  /** All files as they are now, for a copy. The store goes on meanwhile. */
  holdFiles(): Promise<HeldEventFiles> {
    return this.#enqueue(async () => {
      await this.#emptyTail();
      await this.#segments.sealIdle(Infinity);
      return linkFiles(
        this.directory,
        this.#segments.all.map(({ path }) => path),
      );
    });
  }

  /** Reads every block and reports what is damaged. */
  async *scrub(): AsyncGenerator<EventsDamageError> {
    for (const segment of this.#segments.all) yield* segment.scrub();
  }

  /** Puts everything into blocks and closes the files. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#detachClock?.();
    await this.#enqueue(async () => {
      await this.#emptyTail();
      await this.#segments.sealIdle(Infinity);
    }).catch((error: unknown) => this.#log('events stay in the tail until the next start', error));
    await this.#tail.close();
    this.#segments.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** What the process before left in the tail is put into blocks. */
  async #recover(): Promise<void> {
    const stored = await readStoredSequences(this.#segments, this.#tail.zones);
    const lastSequence = this.#segments.all.reduce(
      (last, { summary }) => Math.max(last, summary.lastSequence),
      0,
    );
    this.#tail.restore((zoneId, sequence) => stored.get(zoneId)?.has(sequence) === true, lastSequence);
    if (this.#clock instanceof VirtualClock) this.#detachClock = this.#clock.attach(() => this.#untilIdle());
    this.#keepHouse();
  }

  async #untilIdle(): Promise<void> {
    for (let work = undefined as unknown; work !== this.#work;) {
      work = this.#work;
      await work;
    }
  }

  #keepHouse(): void {
    const atMs = this.#clock.now() + housekeepingMs;
    this.#timer = this.#clock.setTimer(atMs, () => this.#keepHouse(), 'housekeeping');
    this.housekeep().catch((error: unknown) => this.#log('old events could not be dropped', error));
  }

  #scan(options: Omit<ScanOptions, 'onDamage' | 'test'>, condition: Condition | undefined): Scan {
    const test = condition && { ofBlock: compileBlockTest(condition), ofEvent: compileCondition(condition) };
    const onDamage = (damage: EventsDamageError): void =>
      this.#log('a search left out damaged events', damage);
    return new Scan(this.#segments, this.#tail.rowsOf(options.zoneId), { ...options, test, onDamage });
  }

  /** Waits while memory is full of events that the disk does not take. */
  async #makeRoom(): Promise<void> {
    if (this.#tail.heldBytes > pendingBytesMax || this.#tail.bytes > tailBytesMax) {
      if (this.#tail.heldBytes > pendingBytesMax) this.#tail.releaseLargest();
      else this.#tail.releaseFirstHalf();
      this.#cutSoon();
    }
    if (this.#tail.heldBytes <= 2 * pendingBytesMax) return;
    await this.#work;
    if (this.#tail.heldBytes <= 2 * pendingBytesMax) return;
    throw new Error('cannot store events: those before them could not be written', {
      cause: this.#lastFailure,
    });
  }

  #cutSoon(): void {
    if (this.#isCutting) return;
    this.#isCutting = true;
    void this.#enqueue(async () => {
      this.#isCutting = false;
      await this.#cut();
      await this.#tail.trim();
    }).catch((error: unknown) => this.#log('events stay in the tail until the disk takes them', error));
  }

  /** Everything that was received so far is in blocks when it resolves, and in no file of the tail. */
  async #emptyTail(): Promise<void> {
    await this.#tail.rollOlder(Infinity);
    this.#tail.releaseOlder(Infinity);
    await this.#cut();
    await this.#tail.trim();
  }

  async #cut(): Promise<void> {
    const leaving = await this.#tail.takeLeaving();
    try {
      await cutPending(this.#segments, leaving, this.#clock.now(), (pending, rows) => {
        this.#tail.settle(pending, rows);
        this.#moves++;
      });
    } catch (error) {
      this.#lastFailure = error;
      throw error;
    }
  }

  #enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#work.then(work);
    this.#work = done.catch(() => {});
    return done;
  }
}

/** Leaves out events whose ids are known, and repeats. */
function removeKnown(events: readonly TimedEvent[], known: readonly ReadonlySet<string>[]): TimedEvent[] {
  const seen = new Set<string>();
  const sets = [...known.filter(({ size }) => size > 0), seen];
  return events.filter(({ event: { id } }) => {
    const isNew = sets.every((ids) => !ids.has(id));
    seen.add(id);
    return isNew;
  });
}
