/** The tests that docs/reference/specification.md names for the claims of the specification exist. */
import { deepEqual, equal } from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/reference/specification.md'), 'utf8');
const rows = page.split('\n').filter((line) => /^\| \d+ \|/.test(line));

/** A title that contains a plan or a kind is a template. */
const titleMarks = ["'", '`'];
/** The claims of the first document of the specification. */
const claims = 131;

function isShown(row: string): boolean {
  const [, file, title] = /\| `([^`]+\.test\.ts)`: \*(.+)\* \|$/.exec(row) ?? [];
  if (file === undefined) return / \| `npm run [\w:]+`/.test(row);
  const path = join(root, file);
  return (
    existsSync(path) &&
    titleMarks.some((mark) => readFileSync(path, 'utf8').includes(`${mark}${title}${mark}`))
  );
}

test('docs/reference/specification.md numbers every claim of the specification, and each names a test that exists', () => {
  equal(rows.length, claims);
  deepEqual(
    rows.map((row) => Number(row.split('|')[1])),
    rows.map((_, index) => index + 1),
  );
  deepEqual(
    rows.filter((row) => !isShown(row)),
    [],
  );
});
