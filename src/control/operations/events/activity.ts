/**
 * The activity logs of all zones, seen from outside the objects: edges write to them, operations read from them, and streams
 * are notified of new events. An event is sent to streams only once it is on disk.
 */
import type { Clock } from '#base';
import {
  type EventCursor,
  type EventGroups,
  EventHub,
  type EventLog,
  type EventRange,
  packEvents,
  type RecordedEvent,
  type SecurityEvent,
  unpackEvent,
} from '#events';
import type { DurableObjectStub, Runtime } from '#objects';
import { tailsMax, tailsPerZoneMax } from './limits.ts';

export interface ActivityParts {
  readonly runtime: Runtime;
  readonly clock: Clock;
  /** Nothing is written to the log of a zone that was deleted. */
  readonly hasZone: (zoneId: string) => boolean;
}

export interface FoundEvents {
  readonly events: readonly SecurityEvent[];
  readonly cursor: EventCursor | undefined;
}

interface Listener {
  readonly hear: (events: readonly SecurityEvent[]) => void;
  /** Called when no more events will come, unless the listener was removed before. */
  readonly end: () => void;
}

export class Activity {
  readonly clock: Clock;
  readonly #runtime: Runtime;
  readonly #hasZone: ActivityParts['hasZone'];
  readonly #hub = new EventHub();
  /** The functions that end the open streams. */
  readonly #streams = new Set<() => void>();
  #isEnding = false;

  constructor({ runtime, clock, hasZone }: ActivityParts) {
    this.#runtime = runtime;
    this.clock = clock;
    this.#hasZone = hasZone;
  }

  /** Resolves when the events are on disk. */
  async record(zoneId: string, events: readonly RecordedEvent[], retentionMs: number): Promise<void> {
    if (!this.#hasZone(zoneId)) return;
    await this.#log(zoneId).append(packEvents(events), retentionMs);
    this.#hub.publish(
      zoneId,
      events.map(({ event }) => event),
    );
  }

  async find(
    zoneId: string,
    range: EventRange,
    options: Parameters<EventLog['find']>[1],
  ): Promise<FoundEvents> {
    const { documents, cursor } = await this.#log(zoneId).find(range, options);
    return { events: documents.map(unpackEvent), cursor };
  }

  group(zoneId: string, range: EventRange, options: Parameters<EventLog['group']>[1]): Promise<EventGroups> {
    return this.#log(zoneId).group(range, options);
  }

  get(zoneId: string, eventId: string): Promise<ReturnType<EventLog['get']>> {
    return this.#log(zoneId).get(eventId);
  }

  erase(zoneId: string): Promise<void> {
    return this.#log(zoneId).erase();
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
    return () => {
      forget();
      stop();
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

  #log(zoneId: string): DurableObjectStub<EventLog> {
    return this.#runtime.namespace<EventLog>('EventLog').getByName(zoneId);
  }
}
