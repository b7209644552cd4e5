/** The first example of docs/build/simulation.md fails with the story that the page shows. */
import { deepEqual } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..', '..');
const [code, shown] = Array.from(
  readFileSync(join(root, 'docs', 'build', 'simulation.md'), 'utf8').matchAll(/^```\w*\n([^]*?)^```$/gm),
  ([, content]) => content!,
);

test('docs/build/simulation.md shows the story that its example is told as', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-documented-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'deposit.test.ts');
  writeFileSync(file, code!.replace('gatehouse/testing', join(root, 'package', 'testing.ts')));
  // Otherwise it assumes that it is part of this run, and writes machine-readable output.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, ['--test', '--test-reporter=spec', file], { env }, (__, stdout) =>
      resolve(stdout),
    );
  });
  const lines = said.split('\n').map((line) => line.trim());
  const wanted = shown!.split('\n').filter((line) => line !== '' && line !== '…');
  const missing = wanted.filter((line) => !lines.some((each) => isLike(each, line.trim())));
  deepEqual(missing, [], said);
});

/** Lines that end in three dots are shortened on the page. */
function isLike(line: string, wanted: string): boolean {
  const [beginning] = wanted.split('…');
  return wanted.includes('…') ? line.includes(beginning!) : line.endsWith(wanted);
}
