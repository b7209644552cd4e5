/** `npm run verify` lists the sweeps, and each has something to run. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

function verify(...args: readonly string[]): ReturnType<typeof spawnSync> & { readonly stdout: unknown } {
  return spawnSync(process.execPath, [join(root, 'tools/verify.ts'), ...args], { encoding: 'utf8' });
}

test('verify without a name lists sweeps, each of which is a script or a folder of tests with a run.ts', () => {
  const { status, stdout } = verify();
  equal(status, 0);
  const names = Array.from(String(stdout).matchAll(/^ {2}(\S+) /gm), ([, name]) => name!);
  equal(names.includes('documents'), true);
  deepEqual(
    names.filter((name) => !(name in scripts) && !existsSync(join(root, 'test', name, 'run.ts'))),
    [],
  );
});

test('verify with an unknown name says so and lists the sweeps', () => {
  const { status, stdout, stderr } = verify('document');
  equal(status, 2);
  match(String(stderr), /^there is no sweep document\n/);
  match(String(stdout), /^ {2}documents /m);
});
