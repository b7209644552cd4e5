/** The event store of a data directory without a running server. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { realClock } from '#base';
import { type EventStore, openEventStore } from '#events';

/** Undefined if the directory has none. The caller holds the lock of the directory. */
export async function openEventFiles(
  directory: string,
  log = (message: string, error: unknown): void =>
    void process.stderr.write(`gatehouse: ${message}: ${String(error)}\n`),
): Promise<EventStore | undefined> {
  const events = join(directory, 'events');
  if (!existsSync(events)) return undefined;
  return openEventStore({ directory: events, clock: realClock, log });
}
