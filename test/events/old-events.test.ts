import { deepEqual, equal } from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createRuntime, DurableObject } from '#objects';
import { packEvent } from '../../src/events/packed-event.ts';
import { TestControl } from '../control/harness.ts';
import { eventId, eventOf, SecurityZone } from '../control/security-zone.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const judged = { version: 7, steps: [], rules: [] };

/** The log of version 0.1.0, as far as it wrote. */
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

test('events of a data directory of version 0.1.0 are found after an upgrade, and leave at their time', async (t) => {
  const first = await TestControl.open();
  const { directory, clock } = first;
  const zone = new SecurityZone(first, 'enterprise');
  await first.control.close();
  // A directory of 0.1.0 has no event store.
  rmSync(join(directory, 'events'), { recursive: true });
  const runtime = await createRuntime({
    directory,
    clock,
    durability: 'os',
    classes: { EventLog: { class: EventLogOfFirstVersion, storage: 'sql' } },
  });
  const ages = [0, 1, 23 * 24, 29 * 24 + 12, 31 * 24];
  const documents = ages.map((hours, index) => {
    const atMs = clock.now() - hours * hourMs;
    const event = eventOf({ id: eventId(index + 1), datetime: new Date(atMs).toISOString() });
    return { id: event.id, atMs, document: packEvent(event), judged: JSON.stringify(judged) };
  });
  const logs = runtime.namespace<EventLogOfFirstVersion>('EventLog');
  await logs.getByName(zone.id).append(documents);
  await logs.getByName('of a zone that was deleted').append(documents);
  await runtime.close();

  const messages: string[] = [];
  let current = await first.restart({ log: (message) => messages.push(message) });
  t.after(() => current.close());
  deepEqual(messages, ['moved 5 events of version 0.1.0 into the new form of the activity log']);
  const upgraded = new SecurityZone(current, 'enterprise');
  deepEqual(await upgraded.found('since=30d'), [1, 2, 3, 4]);
  const explained = await upgraded.call(`GET ${upgraded.events}/${eventId(2)}/explain`);
  equal(explained.result.explanation.version, 7);
  await clock.advance(13 * hourMs);
  deepEqual(await upgraded.found('since=30d'), [1, 2, 3]);
  equal((await upgraded.call(`GET ${upgraded.events}/${eventId(4)}`)).status, 404);
  await clock.advance(8 * dayMs);
  deepEqual(await upgraded.found('since=30d'), [1, 2]);

  current = await current.restart({ log: (message) => messages.push(message) });
  equal(messages.length, 1);
  deepEqual(await new SecurityZone(current, 'enterprise').found('since=30d'), [1, 2]);
});
