import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { packEvent, unpackEvent } from './packed-event.ts';
import { createEvent } from './testing.ts';

test('unpackEvent is the inverse of packEvent', () => {
  const event = createEvent('a', { metadata: [{ key: 'waf_score', value: '60' }], userAgent: 'ü"\n' });
  deepEqual(unpackEvent(packEvent(event)), event);
});
