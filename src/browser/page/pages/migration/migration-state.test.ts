import { equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { choosePollMs } from './migration-state.ts';

test('choosePollMs asks soon while the last step is under way, and less and less often', () => {
  equal(choosePollMs('pending', 0), 500);
  ok(choosePollMs('pending', 3) > choosePollMs('pending', 2));
  equal(choosePollMs('pending', 1000), 30_000);
  equal(choosePollMs('start', 1000), 30_000);
});
