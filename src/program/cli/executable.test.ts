/** The executable of a clone, as users start it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs without any `node` on the path, so that only the pinned one can be found. */
function run(file: string, ...args: string[]): Promise<Outcome> {
  return runWith('/usr/bin:/bin', file, ...args);
}

function runWith(path: string, file: string, ...args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(file, args, { env: { PATH: path } }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

function temporary(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bin-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

test('gatehouse follows links to itself, passes its arguments on and the exit code back', async (t) => {
  const directory = temporary(t);
  symlinkSync(join(root, 'gatehouse'), join(directory, 'first'));
  symlinkSync('first', join(directory, 'second'));
  assert.deepEqual(await run(join(directory, 'second'), 'serve', '--prot', '1 2'), {
    code: 2,
    stdout: '',
    stderr: 'gatehouse: gatehouse serve has no option --prot: did you mean --port?\n',
  });
});

test('gatehouse of a package says which Node it needs, and where to get it', async (t) => {
  const directory = temporary(t);
  cpSync(join(root, 'gatehouse'), join(directory, 'gatehouse'));
  const path = `${directory}:/usr/bin:/bin`;
  writeFileSync(join(directory, 'node'), '#!/bin/sh\necho v24.1.0\n', { mode: 0o755 });
  const outcome = await runWith(path, join(directory, 'gatehouse'), '--version');
  assert.equal(outcome.code, 1);
  assert.match(
    outcome.stderr,
    /^gatehouse: Node 26\.10 or newer is needed, and the one on the PATH is v24\.1\.0: run npm install node@26/,
  );
  // Requests go to a Node that is new enough.
  writeFileSync(join(directory, 'node'), '#!/bin/sh\n[ "$1" = --version ] && echo v26.10.0 || echo "$@"\n');
  const newer = await runWith(path, join(directory, 'gatehouse'), '--version');
  assert.equal(newer.stdout, `${directory}/dist/src/program/cli/main.js --version\n`);
});

test('gatehouse of a clone says what to do when its Node is not installed', async (t) => {
  const directory = temporary(t);
  cpSync(join(root, 'gatehouse'), join(directory, 'gatehouse'));
  mkdirSync(join(directory, 'src/program/cli'), { recursive: true });
  writeFileSync(join(directory, 'src/program/cli/main.ts'), '');
  const outcome = await run(join(directory, 'gatehouse'), '--version');
  assert.equal(outcome.code, 1);
  assert.match(outcome.stderr, /^gatehouse: the package 'node'.* is not installed: run npm ci in /);
});
