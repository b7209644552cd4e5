import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { workNotes } from '#work';
import { RequestView } from '#expressions';
import { zoneOf } from './testing.ts';

/** The notes that the watchdog thread would read at this time. */
function readNotes(): string[] {
  const { buffer, kinds, slotBytes, namesStart } = workNotes;
  const numbers = new Int32Array(buffer, 0, kinds.indexOf('rule') + 1);
  return Array.from(numbers, (number) => {
    const start = namesStart + number * slotBytes;
    return number === 0 ? '' : Buffer.from(buffer, start, slotBytes).toString('latin1').replace(/\0+$/, '');
  });
}

test('CompiledZone.judge notes the zone and the rule that it is at, and nothing once it is done', () => {
  const zone = zoneOf({
    custom: [
      { id: 'first', expression: 'http.host matches "a+b"' },
      { id: 'second', expression: 'http.user_agent matches "a+b"' },
    ],
  });
  const noted = new Map<string, string[]>();
  zone.judge({
    view: new RequestView({
      read: (key) => {
        noted.set(key, readNotes());
        return undefined;
      },
    }),
  });
  const { id } = zone.configuration.zone;
  deepEqual(noted.get('http.host'), [id, 'first']);
  deepEqual(noted.get('http.user_agent'), [id, 'second']);
  deepEqual(readNotes(), ['', '']);
});
