import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { together } from './together.ts';

test('together is there when all reads are, and failed when one is', () => {
  const asked: string[] = [];
  const read = (name: string, data: number | undefined, error: Error | null = null) => ({
    data,
    error,
    refetch: () => asked.push(name),
  });
  deepEqual(together({ one: read('one', 1), two: read('two', 2) }).data, { one: 1, two: 2 });
  equal(together({ one: read('one', 1), two: read('two', undefined) }).data, undefined);
  const failure = new Error('refused');
  const failed = together({ one: read('one', 1), two: read('two', undefined, failure) });
  equal(failed.error, failure);
  failed.refetch();
  deepEqual(asked, ['two']);
});
