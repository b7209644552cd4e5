import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { checkAddedFields, operateOnFields } from './added-fields.ts';

test('operateOnFields sets, adds and removes in order, behind what is there', () => {
  const before = checkAddedFields([
    ['a', '1'],
    ['b', '2'],
  ]);
  const after = operateOnFields(
    [
      { operation: 'set', name: 'A', value: '3' },
      { operation: 'add', name: 'C', value: '4' },
      { operation: 'add', name: 'c', value: '5' },
      { operation: 'remove', name: 'B' },
      { operation: 'add', name: 'content-type', value: 'text/plain' },
    ],
    before,
  );
  equal(after.text, 'A: 3\r\nC: 4\r\nc: 5\r\ncontent-type: text/plain\r\n');
  deepEqual([...after.names].sort(), ['a', 'b', 'content-type']);
});

test('operateOnFields writes nothing that frames, routes or ends a line, and not without an end', () => {
  const value = 'x'.repeat(40 * 1024);
  const after = operateOnFields(
    [
      { operation: 'set', name: 'content-length', value: '1' },
      { operation: 'set', name: 'host', value: 'a' },
      { operation: 'remove', name: 'cf-connecting-ip' },
      { operation: 'set', name: 'x', value: 'a\r\nb: c' },
      { operation: 'set', name: 'y', value: '\u0100' },
      { operation: 'add', name: 'z', value },
      { operation: 'add', name: 'z', value },
    ],
    undefined,
  );
  equal(after.text, `z: ${value}\r\n`);
  deepEqual([...after.names], ['x', 'y']);
});
