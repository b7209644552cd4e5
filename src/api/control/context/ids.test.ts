import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { createId } from './ids.ts';

test('createId returns 32 hexadecimal digits that sort by time and are never the same', () => {
  const times = [0, 1, 1_000, 1_800_000_000_000, 1_800_000_000_001];
  const ids = times.map((nowMs) => createId(nowMs));
  for (const id of ids) match(id, /^[0-9a-f]{32}$/);
  deepEqual(ids.toSorted(), ids);
  equal(new Set(Array.from({ length: 1_000 }, () => createId(1))).size, 1_000);
});
