/**
 * Runs a script of a folder with a package of its own (`conformance`, `bench`), with the same Node, after installing
 * that package if it is not installed or has changed since. The product itself does not depend on it. Versions are
 * exact and there is no lock file: workerd is a package per platform, and a lock would have to name them all.
 *
 *     node tools/run-in.ts conformance conformance.ts --filter alarms
 */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';

function modifiedMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity;
}

function run(command: string, args: readonly string[], directory: string): void {
  const { status, error } = spawnSync(command, args, { cwd: directory, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

const [folder, script, ...args] = process.argv.slice(2);
if (folder === undefined || script === undefined) {
  console.error('usage: node tools/run-in.ts <folder> <script> [arguments]');
  process.exit(2);
}
const directory = join(import.meta.dirname, '..', folder);
const installed = join(directory, 'node_modules', '.package-lock.json');
if (modifiedMs(installed) < modifiedMs(join(directory, 'package.json'))) {
  console.error(`${folder}: installing its packages`);
  run('npm', ['install', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'], directory);
}
run(process.execPath, [join(directory, script), ...args], join(directory, '..'));
