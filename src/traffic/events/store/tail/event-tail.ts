/**
 * Events that are durable and not in a block yet: a log of frames, and the same events in memory. In files, all zones
 * share one log, so that one sync covers the writes of all of them.
 *
 * - Events are in memory only once they are durable.
 * - Frames are kept from the oldest event on that is not in a block; earlier ones are removed with whole files.
 */
import type { Clock } from '#base';
import { computeExpiry, writeFrame, writeText } from './tail-frame.ts';
import { TailFrameReader } from './tail-frame-reader.ts';
import type { EventHome, FrameLog } from '../home.ts';
import { blockRowsMax, blockBytesMax } from '../limits.ts';
import { TailEvents } from './tail-events.ts';
import type { StoredEvent, TimedEvent } from '../stored-event.ts';

export interface EventTailOptions {
  readonly home: EventHome;
  readonly clock: Clock;
  /** Called when a zone has enough events for a block. */
  readonly onFull: () => void;
}

export class EventTail {
  readonly #frames: FrameLog;
  readonly #clock: Clock;
  readonly #onFull: () => void;
  /** By zone: the events that later ones join. */
  readonly #open = new Map<string, TailEvents>();
  /** Events that are being written to blocks, or wait for it. */
  readonly #leaving = new Set<TailEvents>();
  readonly #zones: ReadonlyMap<string, number>;
  #nextSequence: number;
  #heldBytes = 0;
  /** When the first frame of the newest file was written; undefined if the file has no frames. */
  #rolledSinceMs: number | undefined;

  private constructor(
    frames: FrameLog,
    { zones, nextSequence }: Survey,
    { clock, onFull }: EventTailOptions,
  ) {
    this.#frames = frames;
    this.#zones = zones;
    this.#nextSequence = nextSequence;
    this.#clock = clock;
    this.#onFull = onFull;
  }

  static async open(options: EventTailOptions): Promise<EventTail> {
    let found: Survey | undefined;
    const frames = await options.home.openFrames((each) => (found = survey(each)));
    return new EventTail(frames, found!, options);
  }

  /** The zones that had events in it when it was opened, with the sequence of the first. */
  get zones(): ReadonlyMap<string, number> {
    return this.#zones;
  }

  /** Approximate memory of the events that are not in a block. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  get bytes(): number {
    return this.#frames.end - this.#frames.start;
  }

  /**
   * Restores the events that a previous process left, except those in blocks. Sequences continue after `lastSequence`.
   */
  restore(isStored: (zoneId: string, sequence: number) => boolean, lastSequence: number): void {
    this.#nextSequence = Math.max(this.#nextSequence, lastSequence + 1);
    const reader = new TailFrameReader();
    const found = new Map<string, TailEvents>();
    for (const record of this.#frames.scan(this.#frames.start)) {
      this.#rolledSinceMs ??= record.time;
      const frame = reader.read(record);
      const rows = frame?.rows.filter(({ sequence }) => !isStored(frame.zoneId, sequence)) ?? [];
      if (frame === undefined || rows.length === 0) continue;
      const { zoneId, text } = frame;
      const pending = found.get(zoneId) ?? new TailEvents(zoneId, record.position, record.time);
      found.set(zoneId, pending);
      this.#heldBytes += pending.add(rows, text);
      for (const { event } of rows) pending.ids.add(event.id);
      // Later events do not join them: a dictionary must consist of whole frames.
      this.#leaving.add(pending);
    }
  }

  /** The ids of a zone's events, including those that are not durable yet. */
  idsOf(zoneId: string): readonly ReadonlySet<string>[] {
    return this.#of(zoneId).map(({ ids }) => ids);
  }

  /** The events of a zone that are durable and not in a block, in order of sequence. */
  rowsOf(zoneId: string): StoredEvent[] {
    return this.#of(zoneId).flatMap(({ rows }) => rows);
  }

  /** Resolves when the events are durable, rejects if that fails. */
  async append(zoneId: string, events: readonly TimedEvent[], retentionMs: number): Promise<void> {
    const nowMs = this.#clock.now();
    const firstSequence = this.#nextSequence;
    const rows = toRows(events, { firstSequence, nowMs, retentionMs });
    if (rows.length === 0) return;
    this.#nextSequence += rows.length;
    const pending = this.#open.get(zoneId) ?? new TailEvents(zoneId, this.#frames.end, nowMs);
    this.#open.set(zoneId, pending);
    const text = writeText(rows);
    const frame = { zoneId, firstSequence, retentionMs, rows };
    const payload = writeFrame(frame, text, pending.dictionaryFor(firstSequence, text.length));
    for (const { event } of rows) pending.ids.add(event.id);
    this.#rolledSinceMs ??= nowMs;
    try {
      await this.#frames.append(payload, () => {
        this.#heldBytes += pending.add(rows, text);
      }).durable;
    } catch (error) {
      for (const { event } of rows) pending.ids.delete(event.id);
      if (pending.ids.size === 0 && this.#open.get(zoneId) === pending) this.#open.delete(zoneId);
      throw error;
    }
    const isFull = pending.rows.length >= blockRowsMax || pending.bytes >= blockBytesMax;
    if (isFull && this.#open.get(zoneId) === pending) {
      this.#release(pending);
      this.#onFull();
    }
  }

  /** Resolves when everything appended so far is durable. */
  flush(): Promise<void> {
    return this.#frames.flush();
  }

  checkWritable(): Promise<void> {
    return this.#frames.probe();
  }

  /** Schedules the zones whose oldest event was received at or before a time to be written to blocks. */
  releaseOlder(receivedMs: number): void {
    for (const pending of this.#open.values()) if (pending.sinceMs <= receivedMs) this.#release(pending);
  }

  /** Schedules the zone that takes most memory to be written to a block. */
  releaseLargest(): void {
    const [largest] = [...this.#open.values()].toSorted((a, b) => b.bytes - a.bytes);
    if (largest !== undefined) this.#release(largest);
  }

  /** Schedules the zones whose events are in the first half of the frames to be written to blocks. */
  releaseFirstHalf(): void {
    const half = this.#frames.start + this.bytes / 2;
    for (const pending of this.#open.values()) if (pending.position <= half) this.#release(pending);
  }

  /** The events that are scheduled for blocks; all of them are durable. */
  async takeLeaving(): Promise<readonly TailEvents[]> {
    await this.#frames.flush().catch(() => {});
    return [...this.#leaving];
  }

  /** These events are in blocks now. */
  settle(pending: TailEvents, rows: ReadonlySet<StoredEvent>): void {
    const kept = pending.rows.filter((row) => !rows.has(row));
    pending.rows.splice(0, pending.rows.length, ...kept);
    for (const { event } of rows) pending.ids.delete(event.id);
    if (kept.length > 0) return;
    this.#leaving.delete(pending);
    this.#heldBytes -= pending.bytes;
  }

  /** Drops the events of a zone from memory. They are removed from disk with their frames. */
  async forget(zoneId: string): Promise<void> {
    await this.#frames.flush().catch(() => {});
    for (const pending of this.#of(zoneId)) {
      this.#open.delete(zoneId);
      this.#leaving.delete(pending);
      this.#heldBytes -= pending.bytes;
    }
  }

  /** Removes the frames whose events are all in blocks. */
  async trim(): Promise<void> {
    const needed = [...this.#open.values(), ...this.#leaving].map(({ position }) => position);
    const before = needed.reduce((first, each) => (each < first ? each : first), this.#frames.durableEnd);
    if (this.#frames.segmentsBefore(before).length > 0) await this.#frames.dropBefore(before);
  }

  /** Starts another file if the newest one has frames from before a time, so that they can be removed. */
  async rollOlder(writtenMs: number): Promise<void> {
    if (this.#rolledSinceMs === undefined || this.#rolledSinceMs > writtenMs) return;
    this.#rolledSinceMs = undefined;
    await this.#frames.roll();
  }

  close(): Promise<void> {
    return this.#frames.close();
  }

  #of(zoneId: string): TailEvents[] {
    const open = this.#open.get(zoneId);
    const leaving = [...this.#leaving].filter((pending) => pending.zoneId === zoneId);
    return open === undefined ? leaving : [...leaving, open];
  }

  #release(pending: TailEvents): void {
    this.#open.delete(pending.zoneId);
    this.#leaving.add(pending);
  }
}

interface Survey {
  readonly zones: ReadonlyMap<string, number>;
  readonly nextSequence: number;
}

function survey(frames: FrameLog): Survey {
  const zones = new Map<string, number>();
  let nextSequence = 1;
  const reader = new TailFrameReader();
  for (const record of frames.scan(frames.start)) {
    const frame = reader.read(record);
    if (frame === undefined) continue;
    if (!zones.has(frame.zoneId)) zones.set(frame.zoneId, frame.firstSequence);
    nextSequence = Math.max(nextSequence, frame.firstSequence + frame.rows.length);
  }
  return { zones, nextSequence };
}

interface RowOptions {
  readonly firstSequence: number;
  readonly nowMs: number;
  readonly retentionMs: number;
}

/** The events of one request are consecutive and share one explanation: it is stored with the first of them. */
function toRows(
  events: readonly TimedEvent[],
  { firstSequence, nowMs, retentionMs }: RowOptions,
): StoredEvent[] {
  const rows: StoredEvent[] = [];
  let ray = '';
  let text: string | null = null;
  for (const { event, judged, atMs } of events) {
    const isFirst = event.rayName !== ray;
    ray = event.rayName;
    // Similar requests share one text, which is in memory once.
    if (judged !== undefined && judged !== text) text = judged;
    rows.push({
      sequence: firstSequence + rows.length,
      atMs,
      expiresMs: computeExpiry(atMs, nowMs, retentionMs),
      event,
      judged: judged !== undefined && isFirst ? text : null,
    });
  }
  return rows;
}
