import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { addCondition, changeSearch, parseCondition, readActivitySearch } from './search.ts';

test('readActivitySearch leaves out what is no text', () => {
  deepEqual(readActivitySearch({ since: 5, until: null, expression: '', where: ['a:eq:b', 7], event: {} }), {
    since: '5',
    where: ['a:eq:b'],
  });
  deepEqual(changeSearch({ since: '1h', event: 'x' }, { event: undefined }), { since: '1h' });
});

test('addCondition replaces what contradicts it, and parseCondition reads it back', () => {
  const condition = { field: 'path', operator: 'eq', value: '/a:b' };
  deepEqual(addCondition(['path:neq:/a:b', 'ip:eq:1'], condition), ['ip:eq:1', 'path:eq:/a:b']);
  deepEqual(parseCondition('path:eq:/a:b'), condition);
});
