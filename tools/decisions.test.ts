import { deepEqual } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const folder = new URL('../docs/decisions/', import.meta.url);

test('decisions are numbered without holes, or their list says which numbers were never used', () => {
  const files = readdirSync(folder).filter((name) => name !== 'README.md');
  const numbers = files.map((name) => Number(/^(\d{4})-[a-z0-9-]+\.md$/.exec(name)?.[1]));
  const list = readFileSync(new URL('README.md', folder), 'utf8');
  const unused = /^The numbers? ([\d, and]+) (?:was|were) never used\.$/m.exec(list)?.[1] ?? '';
  const all = [...numbers, ...unused.match(/\d+/g)!.map(Number)].toSorted((a, b) => a - b);
  deepEqual(
    all,
    Array.from({ length: all.length }, (_, index) => index + 1),
  );
  for (const name of files) deepEqual([name, list.includes(`](${name})`)], [name, true]);
});
