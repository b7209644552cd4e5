import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { TestControl } from '../control/harness.ts';
import { SecurityZone } from '../control/security-zone.ts';
import { findText } from './decoded-bytes.ts';

const marker = 'marker-of-a-visitor-7f3a91';
const otherMarker = 'marker-of-another-zone-55c2';
function record(zone: SecurityZone, text: string, numbers: readonly number[]): Promise<void> {
  const events = numbers.map((number) => ({
    number,
    userAgent: `${text} ${number}`,
    clientRequestPath: `/${text}`,
  }));
  return zone.record(events, { version: 1, steps: [], rules: [{ description: text }] } as never);
}

test('a deleted zone leaves nothing of its requests on disk', async (t) => {
  let current = await TestControl.open();
  t.after(() => current.close());
  const control = current;
  const zone = new SecurityZone(control, 'enterprise');
  const other = new SecurityZone(control, 'business');
  await record(zone, marker, [1, 2, 3]);
  await record(other, otherMarker, [4, 5]);
  // The first events are in blocks, further ones only in the tail.
  await control.clock.advance(20 * 60_000);
  await record(other, otherMarker, [6]);
  await record(zone, marker, [7, 8]);
  await record(zone, marker, [9]);
  const before = findText(control.directory, marker);
  ok(
    before.some((path) => path.endsWith('.events')),
    'in a block',
  );
  ok(
    before.some((path) => path.includes('/tail/')),
    'in the tail',
  );

  equal((await zone.call(`DELETE /zones/${zone.id}`)).status, 200);
  deepEqual(findText(control.directory, marker), []);
  deepEqual((await other.found('since=24h')).toSorted(), [4, 5, 6]);
  ok(findText(control.directory, otherMarker).length > 0);
  current = await control.restart();
  deepEqual(findText(control.directory, marker), []);
  deepEqual((await new SecurityZone(current, 'business').found('since=24h')).toSorted(), [4, 5, 6]);
});
