/** A data directory of version 0.1.0, which had an object for the activity log of each zone. */
import type { Clock } from '#base';
import { createRuntime, DurableObject } from '#objects';
import { packEvent } from '../../src/traffic/events/packed-event.ts';
import { eventId, eventOf } from '../control/security-zone.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const judged = { version: 7, steps: [], rules: [] };

/** The log of version 0.1.0, as far as it was used. */
class EventLogOfFirstVersion extends DurableObject {
  async append(documents: readonly { id: string; atMs: number; document: string; judged: string | null }[]) {
    const { storage } = this.ctx;
    storage.sql.exec(`CREATE TABLE IF NOT EXISTS events (
      sequence INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at_ms INTEGER NOT NULL, document TEXT NOT NULL, judged TEXT
    )`);
    storage.sql.exec('CREATE INDEX IF NOT EXISTS events_by_time ON events (at_ms, sequence)');
    storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS retention (one INTEGER PRIMARY KEY CHECK (one = 1), ms INTEGER NOT NULL)',
    );
    for (const { id, atMs, document, judged: explanation } of documents) {
      storage.sql.exec(
        'INSERT OR IGNORE INTO events (id, at_ms, document, judged) VALUES (?, ?, ?, ?)',
        id,
        atMs,
        document,
        explanation,
      );
    }
    storage.sql.exec('INSERT OR REPLACE INTO retention VALUES (1, ?)', 30 * dayMs);
    await storage.setAlarm(Date.now() + hourMs);
  }

  alarm(): void {}
}

interface FirstVersion {
  readonly directory: string;
  readonly clock: Clock;
  /** Of the logs. */
  readonly names: readonly string[];
  /** Of the events in each of them. */
  readonly agesHours: readonly number[];
}

/** Returns the ids of the events, ordered by age. */
export async function writeEventsOfFirstVersion(options: FirstVersion): Promise<string[]> {
  const { directory, clock, names, agesHours } = options;
  const runtime = await createRuntime({
    directory,
    clock,
    durability: 'os',
    classes: { EventLog: { class: EventLogOfFirstVersion, storage: 'sql' } },
  });
  const documents = agesHours.map((hours, index) => {
    const atMs = clock.now() - hours * hourMs;
    const event = eventOf({ id: eventId(index + 1), datetime: new Date(atMs).toISOString() });
    return { id: event.id, atMs, document: packEvent(event), judged: JSON.stringify(judged) };
  });
  const logs = runtime.namespace<EventLogOfFirstVersion>('EventLog');
  for (const name of names) await logs.getByName(name).append(documents);
  await runtime.close();
  return documents.map(({ id }) => id);
}
