/**
 * The long sweeps, by name: comparisons, kill tests, fuzzing and measurements of minutes or hours, which `npm test`
 * does not run.
 *
 *     npm run verify                       lists them
 *     npm run verify -- NAME [ARGUMENTS]   runs one
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { sweeps } from './sweeps.ts';

const root = join(import.meta.dirname, '..');
const [name, ...args] = process.argv.slice(2);
const sweep = name !== undefined && Object.hasOwn(sweeps, name) ? sweeps[name] : undefined;
if (sweep !== undefined) {
  const { run = `npm run ${name} --` } = sweep;
  const { status } = spawnSync('sh', ['-c', `${run} "$@"`, 'sh', ...args], { cwd: root, stdio: 'inherit' });
  process.exitCode = status ?? 1;
} else {
  const widest = Math.max(...Object.keys(sweeps).map(({ length }) => length));
  const lines = Object.entries(sweeps).map(([each, { shows }]) => `  ${each.padEnd(widest)}  ${shows}`);
  if (name !== undefined) console.error(`there is no sweep ${name}\n`);
  console.log(['usage: npm run verify -- NAME [ARGUMENTS]', '', ...lines].join('\n'));
  process.exitCode = name === undefined ? 0 : 2;
}
