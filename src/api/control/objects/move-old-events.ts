/**
 * Moves the events of a data directory of version 0.1.0 into the event store, once: a file marks completion. An event
 * that is moved twice, because a process died in between, is stored once.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventStore } from '#events';
import type { ObjectRuntime } from '#objects';
import type { OldEventLog } from './old-event-log.ts';

export interface MoveOptions {
  /** Its class `EventLog` must be `OldEventLog`. */
  readonly runtime: ObjectRuntime;
  readonly store: EventStore;
  /** The directory of the store. */
  readonly directory: string;
  /** The events of a zone that was deleted are not moved. */
  readonly hasZone: (zoneId: string) => boolean;
}

const className = 'EventLog';
const doneFile = 'moved-from-0.1.0';

/** Resolves to the number of events that were moved. */
export async function moveOldEvents({ runtime, store, directory, hasZone }: MoveOptions): Promise<number> {
  const done = join(directory, doneFile);
  if (existsSync(done)) return 0;
  let moved = 0;
  for await (const { id, name } of runtime.objects(className)) {
    const log = runtime.namespace<OldEventLog>(className).get(id);
    if (name !== undefined && hasZone(name)) {
      for (let after: number | undefined = 0; after !== undefined;) {
        const { events, last, retentionMs } = await log.read(after);
        // Their retention counts from the time of each event, so that events expire at the original time.
        if (events.length > 0) await store.append(name, events, retentionMs);
        moved += events.length;
        after = last;
      }
    }
    await log.clear();
  }
  writeFileSync(done, '', { mode: 0o600 });
  return moved;
}
