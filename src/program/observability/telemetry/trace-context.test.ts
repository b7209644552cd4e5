import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { createSpanId, createTraceId, formatTraceparent, parseTraceparent } from './trace-context.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

test('parseTraceparent reads what W3C Trace Context defines, and versions to come', () => {
  deepEqual(parseTraceparent(`00-${traceId}-${spanId}-01`), { traceId, spanId, isSampled: true });
  deepEqual(parseTraceparent(`00-${traceId}-${spanId}-00`), { traceId, spanId, isSampled: false });
  deepEqual(parseTraceparent(`cc-${traceId}-${spanId}-09-what-the-future-has`), {
    traceId,
    spanId,
    isSampled: true,
  });
});

test('parseTraceparent refuses everything else', () => {
  for (const text of [
    '',
    `00-${traceId}-${spanId}`,
    `00-${traceId}-${spanId}-01-more`,
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    ` 00-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01\r\nx: y`,
    `cc-${traceId}-${spanId}-01-${'x'.repeat(1_000)}`,
  ]) {
    equal(parseTraceparent(text), undefined, JSON.stringify(text));
  }
});

test('createTraceId and createSpanId differ, and fit the field', () => {
  const ids = new Set(Array.from({ length: 1_000 }, () => createTraceId()));
  equal(ids.size, 1_000);
  notEqual(createSpanId(), createSpanId());
  match(
    formatTraceparent({ traceId: createTraceId(), spanId: createSpanId(), isSampled: true }),
    /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/,
  );
});
