import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { problemsMax } from './limits.ts';
import { examined, isFieldSound, isRestSound } from './examined.ts';
import { flag, text } from './scalars.ts';
import type { Problem } from './shape.ts';
import { array, object, optional } from './structures.ts';

const shape = array(
  examined(object({ name: text(), part: object({ on: flag() }), parts: optional(flag()) })),
  {
    max: 9,
  },
);

function soundness(...values: unknown[]): [boolean, boolean][] {
  const problems: Problem[] = [];
  const items = shape.read(values, '', problems);
  deepEqual(problems, []);
  return items.map((item) => [isFieldSound(item, 'part'), isRestSound(item, 'part')]);
}

test('examined keeps the problems of each item with it', () => {
  const [good, bad] = shape.read([{ name: 'a', part: { on: true } }, { name: 7 }], '/items', []);
  deepEqual(good, { pointer: '/items/0', value: { name: 'a', part: { on: true } }, problems: [] });
  deepEqual(
    bad!.problems.map(({ pointer }) => pointer),
    ['/items/1/name', '/items/1/part'],
  );
});

test('isFieldSound and isRestSound say which side of an item can be trusted', () => {
  const part = { on: true };
  deepEqual(
    soundness(
      { name: 'a', part },
      { name: 7, part },
      { name: 'a', part: { on: 7 } },
      { name: 'a', part, parts: 7 },
      { name: 'a' },
      { part, other: 1 },
      'a',
    ),
    [
      [true, true],
      [true, false],
      [false, true],
      [true, false],
      [false, true],
      [true, false],
      [false, false],
    ],
  );
});

test('isFieldSound trusts nothing of an item that was not read to its end', () => {
  const noise = Object.fromEntries(Array.from({ length: problemsMax }, (_, index) => [`x${index}`, 0]));
  const [item] = shape.read([{ ...noise, name: 'a', part: { on: true } }], '', []);
  equal(isFieldSound(item!, 'part'), false);
  equal(isRestSound(item!, 'part'), false);
});
