/**
 * Takes events from the way of requests and brings them to the logs of their zones, in batches, later. Recording costs the
 * request a push to an array; it never waits, never throws, and is bounded: what does not fit is dropped and counted.
 * A batch that cannot be written is dropped and counted as well, so that a log that is away or full stops nobody.
 */
import type { RecordedEvent, SecurityEvent } from './event.ts';
import { batchEventsMax, gatherMs, queuedEventsMax } from './limits.ts';

/** Makes the event when its turn comes, so that explaining takes no time of the request. */
export interface PendingEvents {
  readonly zoneId: string;
  readonly retentionMs: number;
  readonly count: number;
  make(): readonly RecordedEvent[];
}

export interface RecorderOptions {
  /** Resolves when the events are on disk. */
  readonly write: (zoneId: string, events: readonly RecordedEvent[], retentionMs: number) => Promise<void>;
  readonly onError?: (error: unknown) => void;
}

export interface RecorderCounts {
  readonly recorded: number;
  readonly written: number;
  readonly dropped: number;
  readonly queued: number;
}

type Listener = (event: SecurityEvent) => void;

export class EventRecorder {
  readonly #options: RecorderOptions;
  readonly #listeners = new Map<string, Set<Listener>>();
  #queue: PendingEvents[] = [];
  #queued = 0;
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
    this.#recorded += pending.count;
    this.#queued += pending.count;
    this.#queue.push(pending);
    this.#timer ??= setTimeout(() => void this.flush(), gatherMs);
  }

  get counts(): RecorderCounts {
    return { recorded: this.#recorded, written: this.#written, dropped: this.#dropped, queued: this.#queued };
  }

  /** Events of a zone as they are written, until the function that is returned is called. */
  subscribe(zoneId: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(zoneId) ?? new Set();
    this.#listeners.set(zoneId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(zoneId);
    };
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

  async #drain(): Promise<void> {
    const pending = this.#queue.splice(0, batchEventsMax);
    const batches = new Map<string, { events: RecordedEvent[]; retentionMs: number }>();
    for (const each of pending) {
      const batch = batches.get(each.zoneId) ?? { events: [], retentionMs: each.retentionMs };
      batches.set(each.zoneId, batch);
      batch.events.push(...this.#make(each));
    }
    await Promise.all(
      [...batches].map(([zoneId, { events, retentionMs }]) => this.#write(zoneId, events, retentionMs)),
    );
  }

  #make(pending: PendingEvents): readonly RecordedEvent[] {
    this.#queued -= pending.count;
    try {
      return pending.make();
    } catch (error) {
      this.#dropped += pending.count;
      this.#options.onError?.(error);
      return [];
    }
  }

  async #write(zoneId: string, events: readonly RecordedEvent[], retentionMs: number): Promise<void> {
    if (events.length === 0) return;
    try {
      await this.#options.write(zoneId, events, retentionMs);
      this.#written += events.length;
      for (const listener of this.#listeners.get(zoneId) ?? [])
        for (const { event } of events) listener(event);
    } catch (error) {
      this.#dropped += events.length;
      this.#options.onError?.(error);
    }
  }
}
