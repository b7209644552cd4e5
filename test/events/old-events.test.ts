import { deepEqual, equal } from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { TestControl } from '../control/harness.ts';
import { eventId, SecurityZone } from '../control/security-zone.ts';
import { writeEventsOfFirstVersion } from './first-version.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

test('events of a data directory of version 0.1.0 are found after an upgrade, and leave at their time', async (t) => {
  const first = await TestControl.open();
  const { directory, clock } = first;
  const zone = new SecurityZone(first, 'enterprise');
  await first.control.close();
  // A directory of 0.1.0 has no event store.
  rmSync(join(directory, 'events'), { recursive: true });
  await writeEventsOfFirstVersion({
    ...{ directory, clock, names: [zone.id, 'of a zone that was deleted'] },
    agesHours: [0, 1, 23 * 24, 29 * 24 + 12, 31 * 24],
  });

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
