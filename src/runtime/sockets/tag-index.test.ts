import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { TagIndex } from './tag-index.ts';

test('TagIndex finds holders in the order in which they came, and forgets them', () => {
  const index = new TagIndex<{ n: number }>();
  const holders = [1, 2, 3].map((n) => ({ n }));
  for (const holder of holders) index.add(holder, ['all', `own ${holder.n}`]);
  deepEqual(index.find('all'), holders);
  deepEqual(index.find('own 2'), [holders[1]]);
  index.delete(holders[0]!, ['all', 'own 1']);
  deepEqual(index.find('all'), holders.slice(1));
  deepEqual(index.find('own 1'), []);
  index.delete(holders[1]!, ['all']);
  index.delete(holders[2]!, ['all']);
  deepEqual(index.find('all'), []);
  index.clear();
  deepEqual(index.find('own 3'), []);
});
