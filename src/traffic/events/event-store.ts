/**
 * An activity log: of all zones of a data directory, in files, or of one zone of a cluster, in its database
 * (`store/home.ts`). Events are appended in batches, found by time, and expire by age.
 *
 * - `append` resolves when the events are durable as a frame of the tail.
 * - Some minutes later, or when there are enough for a block, the events are written to a block and removed from the
 *   tail.
 * - A block contains events of one zone, by field, compressed. Blocks are grouped into segments by the expiry time of
 *   their events, half an hour each. The segment is removed at that time.
 * - An event is stored once, even if it is sent again.
 * - The events of one request share one explanation, which is stored with one of them.
 * - Damage is reported and costs the events of one block, not the log.
 *
 * One process at a time may write to it.
 */
import { type Clock, type Timer, VirtualClock } from '#base';
import { type FileSystem, realFileSystem } from '#files';
import { SerialWork } from '#work';
import { compileCondition, type EventCondition } from './condition.ts';
import type { RecordedEvent, SecurityEvent } from './event.ts';
import type { EventPage, EventRange, FindOptions, LaterEvents } from './event-questions.ts';
import { type EventGroups, GroupCounter, type GroupOptions } from './groups.ts';
import type { Judged } from './judged/judged.ts';
import { findRowsMax, groupRowsMax, pageEventsMax } from './limits.ts';
import { EventsDamageError } from './store/errors.ts';
import { EventMemory } from './store/blocks/event-memory.ts';
import { FileHome } from './store/files/file-home.ts';
import type { EventHome } from './store/home.ts';
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
import { Scan, type ScanOptions } from './store/blocks/scan.ts';
import { Segments, type ZoneEventsSize } from './store/blocks/segments.ts';
import { countBatch } from './store/count-batch.ts';
import { cutPending, readStoredSequences } from './store/cut.ts';
import { removeKnown, type TimedEvent } from './store/stored-event.ts';
import { DatabaseHome } from './store/database/database-home.ts';
import type { DatabaseLog } from './store/database/database-log.ts';
import { EventTail } from './store/tail/event-tail.ts';

interface LogOptions {
  readonly clock: Clock;
  /** Events are kept at most this long, whatever `append` says. */
  readonly retentionMsMax?: number;
  readonly log: (message: string, error?: unknown) => void;
}

/** For a log in files. */
export interface EventStoreOptions extends LogOptions {
  /** Created if it does not exist; its parent must. The lock is the caller's. */
  readonly directory: string;
  /** As in the options of a runtime. */
  readonly durability?: 'disk' | 'os';
  /** @internal Tests replace the disk. */
  readonly fs?: FileSystem;
}

/** For a log in a database. */
export interface DatabaseEventStoreOptions extends LogOptions {
  readonly rows: DatabaseLog;
  /** The memory that several logs share. */
  readonly memory?: EventMemory;
}

export class EventStore {
  readonly #home: EventHome;
  readonly #clock: Clock;
  readonly #log: LogOptions['log'];
  readonly #onDamage = (damage: EventsDamageError): void =>
    this.#log('a search skipped damaged events', damage);
  readonly #retentionMsMax: number;
  readonly #segments: Segments;
  readonly #tail: EventTail;
  /** Runs one task at a time: cutting, dropping, erasing. */
  readonly #work = new SerialWork();
  #isCutting = false;
  /** Counts how often events moved from the tail into blocks. */
  #moves = 0;
  #lastFailure: unknown;
  #timer: Timer | undefined;
  #detachClock: (() => void) | undefined;
  #isClosed = false;

  private constructor(
    home: EventHome,
    { clock, log, retentionMsMax = Infinity }: LogOptions,
    parts: { readonly segments: Segments; readonly tail: EventTail },
  ) {
    this.#home = home;
    this.#clock = clock;
    this.#log = log;
    this.#retentionMsMax = retentionMsMax;
    this.#segments = parts.segments;
    this.#tail = parts.tail;
  }

  static async open(options: EventStoreOptions): Promise<EventStore> {
    const { directory, clock, durability = 'disk', fs = realFileSystem, log } = options;
    const onDamage = (damage: EventsDamageError): void =>
      log('events are damaged; the rest is available', damage);
    const home = new FileHome({ directory, fs, clock, durability, onDamage });
    return await EventStore.#open(home, options, new EventMemory());
  }

  /** Opens a log that this process has taken. */
  static async openInDatabase(options: DatabaseEventStoreOptions): Promise<EventStore> {
    const { rows, clock, memory = new EventMemory() } = options;
    return await EventStore.#open(new DatabaseHome(rows, clock, memory), options, memory);
  }

  static async #open(home: EventHome, options: LogOptions, memory: EventMemory): Promise<EventStore> {
    const segments = await Segments.open(home, memory);
    const tail = await EventTail.open({ home, clock: options.clock, onFull: () => store.#cutSoon() });
    const store = new EventStore(home, options, { segments, tail });
    await store.#recover();
    return store;
  }

  /** Whether writing is over: another process has taken the log, or the result of a write is unknown. */
  get isOver(): boolean {
    return this.#home.isOver;
  }

  /** Whether it has no events. */
  get isEmpty(): boolean {
    return this.#segments.all.length === 0 && this.#tail.heldBytes === 0;
  }

  /** Approximate memory of the events that are not in a block. */
  get heldBytes(): number {
    return this.#tail.heldBytes;
  }

  /** Resolves when the events are durable, except those that the log already contains or that are too old. */
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
    // An event that was sent before may not be durable yet.
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
      // A search that continues from this cursor must get further than this one.
      if (scanned >= findRowsMax && step.at.atMs !== cursor?.atMs) return { events, cursor: step.at };
    }
    return { events };
  }

  async group(zoneId: string, range: EventRange, options: GroupOptions): Promise<EventGroups> {
    const [groups] = await this.groupEach(zoneId, range, [options]);
    return groups!;
  }

  /** Counts the same events in several ways while reading them once. */
  async groupEach(
    zoneId: string,
    range: EventRange,
    options: readonly GroupOptions[],
  ): Promise<EventGroups[]> {
    const counters = options.map((each) => new GroupCounter(each));
    let scanned = 0;
    for await (const batch of this.#scan({ zoneId, ...range, order: 'newest' }, range.condition).batches()) {
      countBatch(batch, { counters, onDamage: this.#onDamage });
      scanned += batch.count;
      if (scanned >= groupRowsMax) return counters.map((counter) => counter.getResult(false));
    }
    return counters.map((counter) => counter.getResult(true));
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
   * Deletes the events of a zone: when it resolves, none of them are on disk. Must be repeated if the process crashed
   * before that.
   */
  erase(zoneId: string): Promise<void> {
    return this.#work.run(async () => {
      await this.#tail.forget(zoneId);
      await this.#emptyTail();
      await this.#segments.eraseZone(zoneId);
      this.#moves++;
    });
  }

  /** Resolves when everything appended so far is on disk, rejects if that fails. */
  flush(): Promise<void> {
    return this.#tail.flush();
  }

  /** Resolves if the disk accepts events. Only after a failed write does it try another; otherwise it costs nothing. */
  checkWritable(): Promise<void> {
    return this.#tail.checkWritable();
  }

  /** Removes expired events, and the part of the tail that is in blocks. Runs automatically every few minutes. */
  housekeep(): Promise<void> {
    return this.#work.run(async () => {
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
   * Drops the oldest events until this many bytes are free, or no events are left in blocks. Returns the bytes freed.
   */
  dropOldest(bytes: number): Promise<number> {
    return this.#work.run(async () => {
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

  /** The size of each zone's events in blocks. */
  measureZones(): Promise<ZoneEventsSize[]> {
    return this.#segments.measureZones();
  }

  /** Calls `use` while every event is in one of the segments with these paths, and none of them changes. */
  whileSealed<Result>(use: (paths: readonly string[]) => Result): Promise<Result> {
    return this.#work.run(async () => {
      await this.#emptyTail();
      await this.#segments.sealIdle(Infinity);
      return use(this.#segments.all.map(({ path }) => path));
    });
  }

  /** Reads every block and reports damage. */
  scrub(): AsyncGenerator<EventsDamageError> {
    return this.#segments.scrub();
  }

  /** Schedules the events that take most memory to be written to a block soon. */
  relieve(): void {
    this.#tail.releaseLargest();
    this.#cutSoon();
  }

  /** The events recorded after a sequence, in order; without a sequence, only the newest sequence. */
  async readLater(zoneId: string, after: number | undefined, limit: number): Promise<LaterEvents> {
    const rows = this.#tail.rowsOf(zoneId);
    const last = Math.max(this.#segments.lastSequence, rows.at(-1)?.sequence ?? 0);
    if (after === undefined) return { events: [], sequence: last };
    // Events that are written to a block in the meantime are found there.
    const found = await readLaterBlocks(this.#segments, zoneId, after);
    for (const { sequence, event } of rows) if (sequence > after) found.set(sequence, event);
    const later = [...found].toSorted(([a], [b]) => a - b).slice(0, limit);
    return { events: later.map(([, event]) => event), sequence: later.at(-1)?.[0] ?? after };
  }

  /** Releases everything without writing. Durable data stays in place. */
  abandon(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#detachClock?.();
  }

  /** Writes everything to blocks and closes the files. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.abandon();
    await this.#work
      .run(async () => {
        await this.#emptyTail();
        await this.#segments.sealIdle(Infinity);
      })
      .catch((error: unknown) => this.#log('events stay in the tail until the next start', error));
    await this.#tail.close();
    this.#segments.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Writes the events that the previous process left in the tail to blocks. */
  async #recover(): Promise<void> {
    const stored = await readStoredSequences(this.#segments, this.#tail.zones);
    const isStored = (zoneId: string, sequence: number): boolean =>
      stored.get(zoneId)?.has(sequence) === true;
    this.#tail.restore(isStored, this.#segments.lastSequence);
    if (this.#clock instanceof VirtualClock)
      this.#detachClock = this.#clock.attach(() => this.#work.untilIdle());
    this.#keepHouse();
  }

  #keepHouse(): void {
    const atMs = this.#clock.now() + housekeepingMs;
    this.#timer = this.#clock.setTimer(atMs, () => this.#keepHouse(), 'housekeeping');
    this.housekeep().catch((error: unknown) => this.#log('old events could not be dropped', error));
  }

  #scan(options: Omit<ScanOptions, 'onDamage' | 'test'>, condition: EventCondition | undefined): Scan {
    const test = condition && { ofBlock: compileBlockTest(condition), ofEvent: compileCondition(condition) };
    const rows = this.#tail.rowsOf(options.zoneId);
    return new Scan(this.#segments, rows, { ...options, test, onDamage: this.#onDamage });
  }

  /** Waits while memory is full of events that the disk does not accept. */
  async #makeRoom(): Promise<void> {
    if (this.#tail.heldBytes > pendingBytesMax || this.#tail.bytes > tailBytesMax) {
      if (this.#tail.heldBytes > pendingBytesMax) this.#tail.releaseLargest();
      else this.#tail.releaseFirstHalf();
      this.#cutSoon();
    }
    if (this.#tail.heldBytes <= 2 * pendingBytesMax) return;
    await this.#work.settled();
    if (this.#tail.heldBytes <= 2 * pendingBytesMax) return;
    throw new Error('cannot store events: earlier ones could not be written', {
      cause: this.#lastFailure,
    });
  }

  #cutSoon(): void {
    if (this.#isCutting) return;
    this.#isCutting = true;
    void this.#work
      .run(async () => {
        this.#isCutting = false;
        await this.#cut();
        await this.#tail.trim();
      })
      .catch((error: unknown) => this.#log('events stay in the tail until the disk accepts writes', error));
  }

  /** When it resolves, everything received so far is in blocks, and in no file of the tail. */
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
}

/** The events of a zone that are in blocks and have a larger sequence, in order of sequence. */
async function readLaterBlocks(
  segments: Segments,
  zoneId: string,
  after: number,
): Promise<Map<number, SecurityEvent>> {
  const found = new Map<number, SecurityEvent>();
  for (const segment of segments.all) {
    if (segment.summary.lastSequence <= after) continue;
    for (const stored of await segments.blocksOf(segment, zoneId)) {
      if (stored.head.lastSequence <= after) continue;
      const block = await segments.open(stored);
      for (const [row, sequence] of block?.sequences.entries() ?? [])
        if (sequence > after) found.set(sequence, block!.event(row));
    }
  }
  return found;
}
