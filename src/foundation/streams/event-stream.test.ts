import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { EventStreamReader } from './event-stream.ts';

test('EventStreamReader takes any line end, however the text is cut', () => {
  const text = 'id: 7\r\nevent: mine\rdata: a\ndata: b\r\n\r\n: comment\nretry: 5\n\ndata:c\n\ndata: lost';
  for (let size = 1; size <= text.length; size++) {
    const reader = new EventStreamReader();
    const events = (text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []).flatMap((part) => [
      ...reader.read(part),
    ]);
    deepEqual(
      events.map(({ type, data, lastEventId, retryMs }) => [type, data, lastEventId, retryMs]),
      [
        ['mine', 'a\nb', '7', undefined],
        ['message', undefined, '7', 5],
        ['message', 'c', '7', undefined],
      ],
      `in pieces of ${size}`,
    );
  }
});

test('EventStreamReader ends a line at a carriage return at once, and skips a byte order mark', () => {
  const reader = new EventStreamReader();
  const read = (text: string): unknown[] => [...reader.read(text)].map(({ data }) => data);
  deepEqual(read('\uFEFFdata: a\r\r'), ['a']);
  deepEqual(read('\ndata: \uFEFFb\n\r\n'), ['\uFEFFb']);
  deepEqual(read('data:\n\n'), [undefined], 'an event without data');
});
