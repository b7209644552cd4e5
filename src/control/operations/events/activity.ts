/**
 * The activity logs of all zones, seen from outside the objects: edges write to them, operations read from them, and streams
 * are notified of new events. An event is sent to streams only once it is on disk.
 */
import type { Clock } from '#base';
import {
  type EventGroups,
  EventHub,
  type EventPage,
  type EventRange,
  type EventStore,
  type FindOptions,
  type GroupOptions,
  type RecordedEvent,
  type SecurityEvent,
} from '#events';
import { tailsMax, tailsPerZoneMax } from './limits.ts';

/** The logs themselves, whether they are in files or in objects. */
export type EventLogs = Pick<EventStore, 'append' | 'find' | 'group' | 'get' | 'erase'>;

export interface ActivityParts {
  readonly store: EventLogs;
  /**
   * Of a cluster, where other hosts record events as well: hears the events of a zone until the returned function is
   * called. Without it, what is recorded here is all there is.
   */
  readonly follow?: (zoneId: string, hear: (events: readonly SecurityEvent[]) => void) => () => void;
  readonly clock: Clock;
  /** Nothing is written to the log of a zone that was deleted. */
  readonly hasZone: (zoneId: string) => boolean;
}

interface Listener {
  readonly hear: (events: readonly SecurityEvent[]) => void;
  /** Called when no more events will come, unless the listener was removed before. */
  readonly end: () => void;
}

export class Activity {
  readonly clock: Clock;
  readonly #store: EventLogs;
  readonly #follow: ActivityParts['follow'];
  /** The functions that end following zones that have streams. */
  readonly #followed = new Map<string, () => void>();
  readonly #hasZone: ActivityParts['hasZone'];
  readonly #hub = new EventHub();
  /** The functions that end the open streams. */
  readonly #streams = new Set<() => void>();
  #isEnding = false;

  constructor({ store, follow, clock, hasZone }: ActivityParts) {
    this.#store = store;
    this.#follow = follow;
    this.clock = clock;
    this.#hasZone = hasZone;
  }

  /** Resolves when the events are on disk. */
  async record(zoneId: string, events: readonly RecordedEvent[], retentionMs: number): Promise<void> {
    if (!this.#hasZone(zoneId)) return;
    await this.#store.append(zoneId, events, retentionMs);
    // Whoever follows hears of it as of the events of other hosts.
    if (this.#follow !== undefined) return;
    this.#hub.publish(
      zoneId,
      events.map(({ event }) => event),
    );
  }

  find(zoneId: string, range: EventRange, options: FindOptions): Promise<EventPage> {
    return this.#store.find(zoneId, range, options);
  }

  group(zoneId: string, range: EventRange, options: GroupOptions): Promise<EventGroups> {
    return this.#store.group(zoneId, range, options);
  }

  get(zoneId: string, eventId: string): ReturnType<EventStore['get']> {
    return this.#store.get(zoneId, eventId);
  }

  /** When it resolves, nothing of the zone's events is on disk. */
  erase(zoneId: string): Promise<void> {
    return this.#store.erase(zoneId);
  }

  /** The number of listeners, if that is too many to add another one; otherwise undefined. */
  countIfCrowded(zoneId: string): number | undefined {
    const ofZone = this.#hub.countListeners(zoneId);
    if (ofZone >= tailsPerZoneMax) return ofZone;
    return this.#streams.size >= tailsMax ? this.#streams.size : undefined;
  }

  /** Sends the events of a zone to a listener as they are written, until the returned function is called. */
  listen(zoneId: string, { hear, end }: Listener): () => void {
    const stop = this.#hub.subscribe(zoneId, hear);
    const forget = this.onEnd(end);
    if (this.#follow !== undefined && !this.#followed.has(zoneId)) {
      const publish = (events: readonly SecurityEvent[]): void => this.#hub.publish(zoneId, events);
      this.#followed.set(zoneId, this.#follow(zoneId, publish));
    }
    return () => {
      forget();
      stop();
      if (this.#hub.countListeners(zoneId) > 0) return;
      this.#followed.get(zoneId)?.();
      this.#followed.delete(zoneId);
    };
  }

  /** Calls `end` when the server is about to close, or at once if it already is, until the returned function is called. */
  onEnd(end: () => void): () => void {
    this.#streams.add(end);
    if (this.#isEnding) queueMicrotask(end);
    return () => void this.#streams.delete(end);
  }

  endStreams(): void {
    this.#isEnding = true;
    for (const end of this.#streams) end();
  }
}
