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

/** The logs themselves, whether they are in files or in a cluster. */
export interface EventLogs extends Pick<EventStore, 'append' | 'find' | 'groupEach' | 'get' | 'erase'> {
  /** Receives the events of a zone, whichever host records them, until the returned function is called. */
  follow(zoneId: string, hear: (events: readonly SecurityEvent[]) => void): () => void;
}

type RecordListener = (zoneId: string, events: readonly SecurityEvent[]) => void;

export interface ActivityParts {
  readonly store: EventLogs;
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
  /** The functions that stop following a zone, for zones with streams. */
  readonly #followed = new Map<string, () => void>();
  readonly #hasZone: ActivityParts['hasZone'];
  readonly #hub = new EventHub();
  /** The functions that end the open streams. */
  readonly #streams = new Set<() => void>();
  readonly #recordListeners: RecordListener[] = [];
  #isEnding = false;

  constructor({ store, clock, hasZone }: ActivityParts) {
    this.#store = store;
    this.clock = clock;
    this.#hasZone = hasZone;
  }

  /** Resolves when the events are on disk. */
  async record(zoneId: string, events: readonly RecordedEvent[], retentionMs: number): Promise<void> {
    if (!this.#hasZone(zoneId)) return;
    await this.#store.append(zoneId, events, retentionMs);
    const recorded = events.map(({ event }) => event);
    for (const listener of this.#recordListeners) listener(zoneId, recorded);
  }

  /**
   * Calls the listener with the events that this host has written to the logs. It must not throw, and must return
   * quickly.
   */
  onRecorded(listener: RecordListener): void {
    this.#recordListeners.push(listener);
  }

  find(zoneId: string, range: EventRange, options: FindOptions): Promise<EventPage> {
    return this.#store.find(zoneId, range, options);
  }

  async group(zoneId: string, range: EventRange, options: GroupOptions): Promise<EventGroups> {
    const [groups] = await this.#store.groupEach(zoneId, range, [options]);
    return groups!;
  }

  /** Counts the same events in several ways, reading them once. */
  groupEach(zoneId: string, range: EventRange, options: readonly GroupOptions[]): Promise<EventGroups[]> {
    return this.#store.groupEach(zoneId, range, options);
  }

  get(zoneId: string, eventId: string): ReturnType<EventStore['get']> {
    return this.#store.get(zoneId, eventId);
  }

  /** When it resolves, none of the zone's events are on disk. */
  erase(zoneId: string): Promise<void> {
    return this.#store.erase(zoneId);
  }

  /** The number of listeners if no further one is allowed; otherwise undefined. */
  countIfCrowded(zoneId: string): number | undefined {
    const ofZone = this.#hub.countListeners(zoneId);
    if (ofZone >= tailsPerZoneMax) return ofZone;
    return this.#streams.size >= tailsMax ? this.#streams.size : undefined;
  }

  /** Sends the events of a zone to a listener as they are written, until the returned function is called. */
  listen(zoneId: string, { hear, end }: Listener): () => void {
    const stop = this.#hub.subscribe(zoneId, hear);
    const forget = this.onEnd(end);
    if (!this.#followed.has(zoneId)) {
      const publish = (events: readonly SecurityEvent[]): void => this.#hub.publish(zoneId, events);
      this.#followed.set(zoneId, this.#store.follow(zoneId, publish));
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
