import { deepEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('docs/reference/request-lifecycle.md draws every exit of the wire, with its status', () => {
  const page = read('docs/reference/request-lifecycle.md');
  const drawing = page.slice(page.indexOf('```'), page.lastIndexOf('```'));
  const exits = [...read('src/traffic/edge/wire/refusal.ts').matchAll(/^ {2}(\w+): (\d{3}),$/gm)];
  const missing = exits.filter(
    ([, code, status]) => !new RegExp(`\\b${status}\\b[^\\d]*\\b${code}\\b`).test(drawing),
  );
  deepEqual([exits.length > 20, missing.map(([, code]) => code)], [true, []]);
});

test('docs/reference/request-lifecycle.md names files that are there', () => {
  const names = [...read('docs/reference/request-lifecycle.md').matchAll(/`(src\/[\w/.-]+)`/g)].map(
    ([, name]) => name!,
  );
  deepEqual(
    names.filter((name) => !exists(name)),
    [],
  );
});

function exists(path: string): boolean {
  try {
    readFileSync(new URL(`../../${path}`, import.meta.url));
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EISDIR';
  }
}
