import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { bindTo } from './fields.ts';

test('bindTo gives a field its value, and changes it alone', () => {
  const changes: object[] = [];
  const bind = bindTo({ name: 'office', paused: false }, (part) => changes.push(part));
  equal(bind('name').value, 'office');
  bind('paused').onChange(true);
  deepEqual(changes, [{ paused: true }]);
});
