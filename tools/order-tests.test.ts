import { deepEqual } from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { longTests, orderTests } from './order-tests.ts';

test('orderTests begins long files early, with short ones in between, and leaves none out', () => {
  const [first, second] = longTests as [string, string];
  const short = Array.from({ length: 20 }, (_, index) => `a${String(index).padStart(2, '0')}.test.ts`);
  const order = orderTests([...short.toReversed(), second, first]);
  deepEqual(order, [first, ...short.slice(0, 6), second, ...short.slice(6)]);
});

test('orderTests knows each long file once, and by a name that exists', () => {
  deepEqual(
    longTests.filter(
      (file, index) =>
        longTests.indexOf(file) !== index || !existsSync(new URL(`../${file}`, import.meta.url)),
    ),
    [],
  );
});
