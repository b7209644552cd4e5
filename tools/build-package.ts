/**
 * Builds the contents of the npm package: JavaScript, type declarations and source maps in `dist/`, from the sources
 * that this repository runs directly, and the dashboard. `npm pack` calls it.
 *
 *     node tools/build-package.ts               `--no-check`: without the type check, which takes most of the time
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { buildDashboard } from './build-dashboard.ts';
import { bundleThread } from './bundle-thread.ts';
import { pathOf, rooms } from './rooms.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

/** Returns the folder of its modules. */
export async function buildPackage({ isChecked = true } = {}): Promise<string> {
  // Except the page, which other processes may be serving; it is replaced when it is outdated.
  for (const part of ['src', 'package']) rmSync(join(dist, part), { recursive: true, force: true });
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const args = [compiler, '-p', 'tsconfig.package.json', ...(isChecked ? [] : ['--noCheck'])];
  execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  leadDoorsToFiles();
  await bundleThread(dist);
  return dist;
}

/** In the repository a door is `#room`, which package.json maps to the sources; in the package there are no sources. */
function leadDoorsToFiles(): void {
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:js|d\.ts)$/.test(name)) continue;
    const file = join(dist, name);
    const text = readFileSync(file, 'utf8');
    const written = text.replace(/(['"])#([a-z0-9-]+)\1/g, (whole, quote: string, room: string) => {
      if (!Object.hasOwn(rooms, room)) return whole;
      const path = relative(dirname(file), join(dist, `${pathOf(room)}.js`));
      return `${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`;
    });
    if (written !== text) writeFileSync(file, written);
  }
}

if (import.meta.main) {
  await buildPackage({ isChecked: !process.argv.includes('--no-check') });
  await buildDashboard({ ifStale: true });
}
