/** Opens stores. Their code is loaded on first use: a worker of the edge writes events but stores none. */
import type { EventStore, EventStoreOptions, DatabaseEventStoreOptions } from './event-store.ts';
import type { TrafficStore, TrafficStoreOptions } from './traffic/traffic-store.ts';

export async function openEventStore(options: EventStoreOptions): Promise<EventStore> {
  const { EventStore: Store } = await import('./event-store.ts');
  return await Store.open(options);
}

/** Opens the log of one zone in the database of a cluster. */
export async function openDatabaseEventStore(options: DatabaseEventStoreOptions): Promise<EventStore> {
  const { EventStore: Store } = await import('./event-store.ts');
  return await Store.openInDatabase(options);
}

export async function openTrafficStore(options: TrafficStoreOptions): Promise<TrafficStore> {
  const { TrafficStore: Store } = await import('./traffic/traffic-store.ts');
  return await Store.open(options);
}

/** Reads the request counts of a directory that no server uses; throws an error if they cannot be opened. */
export async function* scrubTraffic(directory: string): ReturnType<TrafficStore['scrub']> {
  const { scrubTraffic: scrub } = await import('./traffic/scrub-traffic.ts');
  yield* scrub(directory);
}
