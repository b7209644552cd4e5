/**
 * Writes events to the logs of their zones in batches, without delaying the requests that they come from. Recording costs a
 * request one push to an array: it never waits, never throws, and is bounded in events and in the bytes that they hold.
 * Events that do not fit are dropped and counted. Events are created in slices of a few milliseconds, so that other requests
 * do not wait. A batch that cannot be written is dropped and counted as well, so that a log that fails stops no request.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecordedEvent } from './event.ts';
import { batchEventsMax, gatherMs, heldBytesMax, makeMsPerTurn, queuedEventsMax } from './limits.ts';

/** Creates its events when their turn comes, so that explaining does not delay the request. */
export interface PendingEvents {
  readonly zoneId: string;
  readonly retentionMs: number;
  readonly count: number;
  /** How many bytes of the request are held until then. */
  readonly bytes: number;
  make(detail: 'explained' | 'plain'): readonly RecordedEvent[];
}

export interface RecorderOptions {
  /** Resolves when the events are on disk. */
  readonly write: (zoneId: string, events: readonly RecordedEvent[], retentionMs: number) => Promise<void>;
  readonly onError?: (error: unknown) => void;
  /** Measures how long a turn has taken, in milliseconds. */
  readonly nowMs?: () => number;
}

export interface RecorderCounts {
  readonly recorded: number;
  readonly written: number;
  readonly dropped: number;
  readonly queued: number;
}

interface Batch {
  readonly events: RecordedEvent[];
  readonly retentionMs: number;
}

export class EventRecorder {
  readonly #options: RecorderOptions;
  #queue: PendingEvents[] = [];
  #queued = 0;
  #heldBytes = 0;
  #recorded = 0;
  #written = 0;
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #draining: Promise<void> | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  record(pending: PendingEvents): void {
    if (this.#queued + pending.count > queuedEventsMax) {
      this.#dropped += pending.count;
      return;
    }
    const held = this.#heldBytes + pending.bytes > heldBytesMax ? this.#releaseRequest(pending) : pending;
    this.#recorded += held.count;
    this.#queued += held.count;
    this.#heldBytes += held.bytes;
    this.#queue.push(held);
    this.#timer ??= setTimeout(() => void this.flush(), gatherMs);
  }

  get counts(): RecorderCounts {
    return { recorded: this.#recorded, written: this.#written, dropped: this.#dropped, queued: this.#queued };
  }

  /** Resolves when everything recorded so far is written or dropped. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#queue.length > 0 || this.#draining !== undefined) {
      this.#draining ??= this.#drain().finally(() => (this.#draining = undefined));
      await this.#draining;
    }
  }

  /** The events alone, without the request that they come from. */
  #releaseRequest(pending: PendingEvents): PendingEvents {
    const events = this.#createEvents(pending, 'plain');
    const { zoneId, retentionMs } = pending;
    return { zoneId, retentionMs, count: events.length, bytes: 0, make: () => events };
  }

  async #drain(): Promise<void> {
    const pending = this.#queue;
    this.#queue = [];
    let batches = new Map<string, Batch>();
    let gathered = 0;
    const { nowMs = () => performance.now() } = this.#options;
    let turnEndMs = nowMs() + makeMsPerTurn;
    for (const each of pending) {
      const batch: Batch = batches.get(each.zoneId) ?? { events: [], retentionMs: each.retentionMs };
      batches.set(each.zoneId, batch);
      this.#queued -= each.count;
      this.#heldBytes -= each.bytes;
      batch.events.push(...this.#createEvents(each, 'explained'));
      gathered += each.count;
      if (gathered >= batchEventsMax) {
        await this.#writeAll(batches);
        batches = new Map();
        gathered = 0;
      } else if (nowMs() > turnEndMs) {
        await nextTurn();
      } else continue;
      turnEndMs = nowMs() + makeMsPerTurn;
    }
    await this.#writeAll(batches);
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

  async #writeAll(batches: ReadonlyMap<string, Batch>): Promise<void> {
    await Promise.all(Array.from(batches, ([zoneId, batch]) => this.#write(zoneId, batch)));
  }

  async #write(zoneId: string, { events, retentionMs }: Batch): Promise<void> {
    if (events.length === 0) return;
    try {
      await this.#options.write(zoneId, events, retentionMs);
      this.#written += events.length;
    } catch (error) {
      this.#dropped += events.length;
      this.#options.onError?.(error);
    }
  }
}
