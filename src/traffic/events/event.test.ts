import { equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { operators } from './condition.ts';
import { eventFields, isEventField } from './event.ts';
import { createEvent } from './testing.ts';

test('eventFields are all fields of an event except the metadata, and are documented in the guide', () => {
  const { metadata: _, ...fields } = createEvent('1');
  equal(Object.keys(eventFields).toSorted().join(), Object.keys(fields).toSorted().join());
  const guide = readFileSync(new URL('../../../docs/operate/events.md', import.meta.url), 'utf8');
  for (const name of [...Object.keys(eventFields), ...operators]) ok(guide.includes(`\`${name}\``), name);
});

test('isEventField knows fields, but not inherited properties', () => {
  equal(isEventField('clientIP'), true);
  for (const name of ['metadata', 'constructor', '__proto__', '']) equal(isEventField(name), false);
});
