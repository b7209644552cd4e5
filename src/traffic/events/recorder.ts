/**
 * Writes events to the logs of their zones in batches, without delaying the requests that they come from. Recording
 * costs a request one push to an array: it never waits, never throws, and is bounded in events and in the bytes that
 * they hold. Events beyond the limits are dropped and counted. Events are created in slices of a few milliseconds, so
 * that other requests do not wait. A batch that cannot be written is dropped and counted as well, so that a failing log
 * stops no request.
 *
 * Each zone has its own queue and at most one write in progress. A log that does not answer delays only the events of
 * its own zone: its queue holds at most as many events as remain free for the others.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, realClock } from '#base';
import type { RecordedEvent } from './event.ts';
import {
  batchEventsMax,
  gatherMs,
  heldBytesMax,
  makeMsPerTurn,
  queuedEventsMax,
  writePatienceMs,
  writesPerRoundMax,
} from './limits.ts';

/** Creates its events when their turn comes, so that explaining does not delay the request. */
export interface PendingEvents {
  readonly zoneId: string;
  readonly retentionMs: number;
  readonly count: number;
  /** Bytes of the request that are held until then. */
  readonly bytes: number;
  make(detail: 'explained' | 'plain'): readonly RecordedEvent[];
}

export interface RecorderOptions {
  /** Resolves when the events are on disk. */
  readonly write: (zoneId: string, events: readonly RecordedEvent[], retentionMs: number) => Promise<void>;
  readonly onError?: (error: unknown) => void;
  /** A clock in milliseconds, to measure how long a turn takes. */
  readonly nowMs?: () => number;
  readonly clock?: Clock;
}

export interface RecorderCounts {
  readonly recorded: number;
  readonly written: number;
  readonly dropped: number;
  readonly queued: number;
}

interface ZoneQueue {
  readonly zoneId: string;
  /** Those before `next` are created. */
  pending: PendingEvents[];
  next: number;
  queued: number;
  heldBytes: number;
  /** Whether one of its batches is being created or written. */
  isBusy: boolean;
  writing: Promise<void> | undefined;
}

export class EventRecorder {
  readonly #options: RecorderOptions;
  readonly #nowMs: () => number;
  readonly #zones = new Map<string, ZoneQueue>();
  /** Zones with events to write and no write in progress, in the order of their turn. */
  readonly #ready = new Set<ZoneQueue>();
  #queued = 0;
  #heldBytes = 0;
  #recorded = 0;
  #written = 0;
  #dropped = 0;
  #turnEndMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #delivering: Promise<void> | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? (() => performance.now());
  }

  record(pending: PendingEvents): void {
    const zone = this.#getZone(pending.zoneId);
    if (zone.queued + pending.count > queuedEventsMax - this.#queued) {
      this.#dropped += pending.count;
      return this.#forgetIfEmpty(zone);
    }
    const hasRoom = zone.heldBytes + pending.bytes <= heldBytesMax - this.#heldBytes;
    const held = hasRoom ? pending : this.#releaseRequest(pending);
    this.#recorded += held.count;
    this.#count(zone, held, 1);
    zone.pending.push(held);
    if (!zone.isBusy) this.#ready.add(zone);
    this.#timer ??= setTimeout(() => void this.#deliver(), gatherMs);
  }

  get counts(): RecorderCounts {
    return { recorded: this.#recorded, written: this.#written, dropped: this.#dropped, queued: this.#queued };
  }

  /** Resolves when everything recorded so far is written or dropped. */
  async flush(): Promise<void> {
    while (this.#zones.size > 0) {
      await this.#deliver();
      for (const { writing } of this.#zones.values()) await writing;
    }
  }

  #getZone(zoneId: string): ZoneQueue {
    const known = this.#zones.get(zoneId);
    if (known !== undefined) return known;
    const zone: ZoneQueue = {
      zoneId,
      pending: [],
      next: 0,
      queued: 0,
      heldBytes: 0,
      isBusy: false,
      writing: undefined,
    };
    this.#zones.set(zoneId, zone);
    return zone;
  }

  #forgetIfEmpty(zone: ZoneQueue): void {
    if (zone.pending.length === 0 && !zone.isBusy) this.#zones.delete(zone.zoneId);
  }

  #count(zone: ZoneQueue, { count, bytes }: PendingEvents, sign: 1 | -1): void {
    zone.queued += sign * count;
    zone.heldBytes += sign * bytes;
    this.#queued += sign * count;
    this.#heldBytes += sign * bytes;
  }

  /** Keeps the events alone and releases the request that they come from. */
  #releaseRequest(pending: PendingEvents): PendingEvents {
    const events = this.#createEvents(pending, 'plain');
    const { zoneId, retentionMs } = pending;
    return { zoneId, retentionMs, count: events.length, bytes: 0, make: () => events };
  }

  /** Resolves when every zone with events has had at least one write to its log started. */
  #deliver(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#delivering ??= this.#deliverAll().finally(() => (this.#delivering = undefined));
    return this.#delivering;
  }

  async #deliverAll(): Promise<void> {
    this.#turnEndMs = this.#nowMs() + makeMsPerTurn;
    while (this.#ready.size > 0) {
      const writes: Promise<void>[] = [];
      for (const zone of this.#ready) {
        this.#ready.delete(zone);
        zone.isBusy = true;
        const { retentionMs } = zone.pending[zone.next]!;
        const events = await this.#makeBatch(zone);
        zone.writing = this.#write(zone, events, retentionMs);
        writes.push(zone.writing);
        if (writes.length === writesPerRoundMax) break;
      }
      await this.#waitPatiently(writes);
    }
  }

  /** Limits the writes in progress, without waiting for those that never finish. */
  async #waitPatiently(writes: readonly Promise<void>[]): Promise<void> {
    const { clock = realClock } = this.#options;
    const { promise: isOver, resolve } = Promise.withResolvers<void>();
    const timer = clock.setTimer(clock.now() + writePatienceMs, resolve, 'housekeeping');
    await Promise.race([Promise.all(writes), isOver]);
    timer.cancel();
  }

  async #makeBatch(zone: ZoneQueue): Promise<readonly RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    while (zone.next < zone.pending.length && events.length < batchEventsMax) {
      const each = zone.pending[zone.next]!;
      zone.next++;
      this.#count(zone, each, -1);
      events.push(...this.#createEvents(each, 'explained'));
      if (this.#nowMs() <= this.#turnEndMs) continue;
      await nextTurn();
      this.#turnEndMs = this.#nowMs() + makeMsPerTurn;
    }
    zone.pending = zone.pending.slice(zone.next);
    zone.next = 0;
    return events;
  }

  #createEvents(pending: PendingEvents, detail: 'explained' | 'plain'): readonly RecordedEvent[] {
    try {
      return pending.make(detail);
    } catch (error) {
      this.#dropped += pending.count;
      this.#options.onError?.(error);
      return [];
    }
  }

  async #write(zone: ZoneQueue, events: readonly RecordedEvent[], retentionMs: number): Promise<void> {
    try {
      if (events.length > 0) await this.#options.write(zone.zoneId, events, retentionMs);
      this.#written += events.length;
    } catch (error) {
      this.#dropped += events.length;
      this.#options.onError?.(error);
    }
    zone.writing = undefined;
    zone.isBusy = false;
    if (zone.pending.length === 0) return void this.#zones.delete(zone.zoneId);
    this.#ready.add(zone);
    // A running delivery includes it; otherwise one is scheduled.
    if (this.#delivering === undefined) this.#timer ??= setTimeout(() => void this.#deliver(), gatherMs);
  }
}
