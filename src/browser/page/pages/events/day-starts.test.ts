import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { findDayStarts } from './day-starts.ts';

test('findDayStarts finds the first event of each day of the reader, in whatever order they are', () => {
  const at = (day: number, hour: number) => ({
    datetime: new Date(2026, 2, day, hour, 30).toISOString(),
  });
  const events = [at(30, 23), at(30, 0), at(29, 23), at(29, 12), at(29, 0), at(28, 23), at(30, 5), at(30, 6)];
  deepEqual([...findDayStarts(events)], [0, 2, 5, 6]);
  deepEqual([...findDayStarts([])], []);
});
