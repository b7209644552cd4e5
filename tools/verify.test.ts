/** `npm run verify` lists the sweeps, and each of them has a command whose files exist. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sweeps } from './sweeps.ts';

const root = join(import.meta.dirname, '..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

function verify(...args: readonly string[]): ReturnType<typeof spawnSync> & { readonly stdout: unknown } {
  return spawnSync(process.execPath, [join(root, 'tools/verify.ts'), ...args], { encoding: 'utf8' });
}

test('verify without a name lists the sweeps', () => {
  const { status, stdout } = verify();
  equal(status, 0);
  deepEqual(
    Array.from(String(stdout).matchAll(/^ {2}(\S+) /gm), ([, name]) => name!),
    Object.keys(sweeps),
  );
});

test('verify with an unknown name says so and lists the sweeps', () => {
  const { status, stdout, stderr } = verify('document');
  equal(status, 2);
  match(String(stderr), /^there is no sweep document\n/);
  match(String(stdout), /^ {2}documents /m);
});

test('sweeps are scripts of package.json, or commands of files that exist', () => {
  const wrong = Object.entries(sweeps).flatMap(([name, { run = scripts[name] }]) => {
    if (run === undefined) return [`${name}: neither a command nor a script`];
    const [, folder = ''] = /tools\/run-in\.ts (\S+)/.exec(run) ?? [];
    const files = run.match(/(?<= )\w[\w./-]*\.ts\b/g) ?? [];
    return files
      .filter((file) => !existsSync(join(root, file)) && !existsSync(join(root, folder, file)))
      .map((file) => `${name}: ${file}`);
  });
  deepEqual(wrong, []);
});
