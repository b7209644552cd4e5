import { deepEqual } from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path/posix';
import { test } from 'node:test';
import { entries, packageDoors } from './entries.ts';

const root = new URL('..', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

test('entries are files that exist, and each names the file that starts it', () => {
  const files = [...entries.map(({ file }) => file), ...packageDoors];
  deepEqual(
    files.filter((file) => !existsSync(new URL(file, root))),
    [],
  );
  const wrong = entries.filter(
    ({ file, startedBy }) =>
      startedBy.endsWith('.ts') && !read(startedBy).includes(basename(file).replace(/\.ts$/, '')),
  );
  deepEqual(wrong, []);
});

test('entries list every module of src that another one loads by its URL', () => {
  const known = new Set([...entries.map(({ file }) => file), ...packageDoors]);
  const product = globSync('src/**/*.ts', { cwd: root }).filter(
    (path) => !/(?:\.test|\/testing)\.ts$|\/testdata\//.test(path),
  );
  const loaded = product.flatMap((path) =>
    Array.from(
      read(path).matchAll(/new URL\(\s*[`'](\.{1,2}\/[\w./-]+?)(?:\.ts|\.?\$\{[^`]*\})[`'],/g),
      ([, name]) => `${join(dirname(path), name!)}.ts`,
    ),
  );
  deepEqual(loaded.length > 10, true);
  deepEqual(
    loaded.filter((path) => existsSync(new URL(path, root)) && !known.has(path)),
    [],
  );
});
