import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { checkAlarms, isRung } from './check-alarms.ts';

test('checkAlarms finds two runs at a time, and none where a run was given up', () => {
  deepEqual(checkAlarms('a', ['set 1', 'begin x', 'end x', 'set 2', 'begin y', 'begin z', 'end z']), []);
  equal(checkAlarms('a', ['set 1', 'begin x', 'begin y', 'end x', 'end y']).length, 2);
  equal(checkAlarms('a', ['begin x', 'begin y', 'end y', 'end x']).length, 1);
});

test('isRung wants a whole run behind the last time that the alarm was set', () => {
  equal(isRung([]), false);
  equal(isRung(['set 1', 'begin x', 'end x']), true);
  equal(isRung(['set 1', 'begin x', 'set 2', 'end x']), false);
  equal(isRung(['set 1', 'begin x', 'set 2', 'end x', 'begin y', 'end y']), true);
});
