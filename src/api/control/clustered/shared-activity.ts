/** The activity logs and the counts of requests of a cluster, which are objects (`ActivityLog`). */
import type { Clock, Timer } from '#base';
import {
  addCounts,
  aheadMinutesMax,
  createCounts,
  type EventStore,
  KnownBatches,
  type SecurityEvent,
  type TrafficRow,
  type TrafficStore,
} from '#events';
import type { DurableObjectStub, ObjectRuntime } from '#objects';
import { askAgainIfLost } from '../pipeline/lost-objects.ts';
import type { ActivityLog } from '../objects/activity-log.ts';
import type { EventLogs } from '../operations/events/activity.ts';
import type { TrafficLog } from '../operations/several-objects.ts';
import type { SteadyClock } from './control-cluster.ts';
import { tailLookMs, trafficRowsMax, trafficWriteMs } from './limits.ts';

const minuteMs = 60_000;

export interface SharedActivityOptions {
  readonly runtime: ObjectRuntime;
  readonly clock: Clock;
  /** Streams poll for events on this clock, even if another clock stands still. */
  readonly steadyClock: SteadyClock;
  /** The longest retention of events and counts. */
  readonly retentionMsMax: number;
  /** The retention of a zone; undefined if there is no such zone. */
  readonly retentionOf: (zoneId: string) => number | undefined;
  readonly onError: (error: unknown) => void;
}

export class SharedActivity implements EventLogs, TrafficLog {
  readonly #options: SharedActivityOptions;
  /** Counts that have not been written yet, by zone and minute. */
  #pending = new Map<string, Map<number, number[]>>();
  #pendingRows = 0;
  readonly #batches = new KnownBatches();
  #timer: Timer | undefined;

  constructor(options: SharedActivityOptions) {
    this.#options = options;
  }

  append(zoneId: string, events: Parameters<EventStore['append']>[1], retentionMs: number): Promise<void> {
    const keptMs = Math.min(retentionMs, this.#options.retentionMsMax);
    // An event that is sent again is stored once.
    return askAgainIfLost(() => this.#logOf(zoneId).append(events, keptMs));
  }

  find(zoneId: string, ...asked: Parameters<ActivityLog['find']>): ReturnType<EventStore['find']> {
    return askAgainIfLost(() => this.#logOf(zoneId).find(...asked));
  }

  groupEach(
    zoneId: string,
    ...asked: Parameters<ActivityLog['groupEach']>
  ): ReturnType<EventStore['groupEach']> {
    return askAgainIfLost(() => this.#logOf(zoneId).groupEach(...asked));
  }

  get(zoneId: string, eventId: string): ReturnType<EventStore['get']> {
    return askAgainIfLost(() => this.#logOf(zoneId).get(eventId));
  }

  /** Receives what any host records from now on, until the returned function is called. */
  follow(zoneId: string, hear: (events: readonly SecurityEvent[]) => void): () => void {
    const { onError, steadyClock } = this.#options;
    let after: number | undefined;
    let timer: Timer | undefined;
    let isOver = false;
    const look = async (): Promise<void> => {
      try {
        const { events, sequence } = await askAgainIfLost(() => this.#logOf(zoneId).readLater(after));
        after = sequence;
        if (events.length > 0 && !isOver) hear(events);
      } catch (error) {
        // A closing host closes its streams first.
        if (!isOver) onError(error);
      }
      if (!isOver) timer = steadyClock.setTimer(tailLookMs, () => void look());
    };
    void look();
    return () => {
      isOver = true;
      timer?.cancel();
    };
  }

  async erase(zoneId: string): Promise<void> {
    this.#pendingRows -= this.#pending.get(zoneId)?.size ?? 0;
    this.#pending.delete(zoneId);
    await this.#logOf(zoneId).erase();
  }

  /**
   * Counts are written within seconds, which is what a crash can lose. Drops the same rows as `TrafficStore.add`; a
   * batch that is sent again through another host counts twice.
   */
  add(rows: readonly TrafficRow[], batch?: string): void {
    if (!this.#batches.add(batch)) return;
    const { clock, retentionMsMax, retentionOf } = this.#options;
    const nowMs = clock.now();
    const lastMinute = Math.floor(nowMs / minuteMs) + aheadMinutesMax;
    for (const { zoneId, minute: given, counts } of rows) {
      const keptMs = retentionOf(zoneId);
      if (keptMs === undefined || given * minuteMs <= nowMs - Math.min(keptMs, retentionMsMax)) continue;
      const minute = Math.min(given, lastMinute);
      const minutes = this.#pending.get(zoneId) ?? new Map<number, number[]>();
      let sum = minutes.get(minute);
      if (sum === undefined) {
        if (this.#pendingRows >= trafficRowsMax) continue;
        this.#pendingRows++;
        sum = createCounts();
        this.#pending.set(zoneId, minutes.set(minute, sum));
      }
      addCounts(sum, counts);
    }
    if (this.#pendingRows === 0) return;
    this.#timer ??= clock.setTimer(clock.now() + trafficWriteMs, () => void this.write(), 'housekeeping');
  }

  async read(zoneId: string, range: Parameters<TrafficStore['read']>[1]): Promise<Map<number, number[]>> {
    await this.write();
    return new Map(await askAgainIfLost(() => this.#logOf(zoneId).readTraffic(range)));
  }

  /** Counts that cannot be written are lost: it is unknown whether they were added. */
  async write(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    const pending = this.#pending;
    this.#pending = new Map();
    this.#pendingRows = 0;
    for (const [zoneId, minutes] of pending) {
      const keptMs = this.#options.retentionOf(zoneId);
      if (keptMs === undefined) continue;
      const rows = Array.from(minutes, ([minute, counts]) => ({ minute, counts }));
      try {
        await this.#logOf(zoneId).addTraffic(rows, Math.min(keptMs, this.#options.retentionMsMax));
      } catch (error) {
        this.#options.onError(error);
      }
    }
  }

  /** A stub stays broken once its object has failed, so each call uses a new one. */
  #logOf(zoneId: string): DurableObjectStub<ActivityLog> {
    return this.#options.runtime.namespace<ActivityLog>('ActivityLog').getByName(zoneId);
  }
}
