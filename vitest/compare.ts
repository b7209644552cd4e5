/**
 * Runs the projects of a folder under `@cloudflare/vitest-plugin` from npm, with workerd, and under Gatehouse, and prints what
 * became of their tests side by side, how long a test file took to begin, and a test. Both are as npm has them: ours is
 * built as `npm pack` does it.
 *
 *     npm run verify -- vitest:compare FOLDER [--only NAME]
 *
 * Without a folder it runs the projects of `vitest/examples`. What the projects depend on is installed from npm into a
 * folder of its own, by the `package.json` of the folder; packages that npm does not have are named.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPackage } from '../tools/build-package.ts';
import { type Outcome, prepareProjects, runProject, type Side } from './run-project.ts';
import { describeStarts, describeTable, describeWork, type Row } from './tables.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } });
const sources = resolve(positionals[0] ?? join(import.meta.dirname, 'examples'));
const work = join(import.meta.dirname, 'node_modules', '.cache', 'compare');
const ownPackages = readDependencies(join(import.meta.dirname, 'package.json'));

function readDependencies(file: string): Record<string, string> {
  if (!existsSync(file)) return {};
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(file, 'utf8')) as Record<
    string,
    Record<string, string>
  >;
  return { ...dependencies, ...devDependencies };
}

/** The versions to install; workspace specifiers are dropped or replaced. */
function chooseVersions(): Record<string, string> {
  const wanted = Object.entries(readDependencies(join(sources, 'package.json')))
    .filter(([name, version]) => !(name in ownPackages) && !version.startsWith('workspace:'))
    .map(([name, version]) => {
      if (version.startsWith('file:')) return [name, `file:${resolve(sources, version.slice(5))}`];
      return [name, version.startsWith('catalog:') ? 'latest' : version.replace(/^\^/, '')];
    });
  return { ...ownPackages, ...(Object.fromEntries(wanted) as Record<string, string>) };
}

/** Installs all available packages; a package that npm does not have is omitted, and reported. */
function install(): { readonly modules: string; readonly missing: readonly string[] } {
  mkdirSync(work, { recursive: true });
  const versions = chooseVersions();
  const missing: string[] = [];
  for (;;) {
    const manifest = { private: true, type: 'module', dependencies: versions };
    writeFileSync(join(work, 'package.json'), JSON.stringify(manifest, null, 2));
    const args = [
      'install',
      '--legacy-peer-deps',
      '--no-package-lock',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ];
    const { status, stderr } = spawnSync('npm', args, { cwd: work, encoding: 'utf8' });
    if (status === 0) return { modules: join(work, 'node_modules'), missing };
    const absent = Object.keys(versions).find(
      (name) => stderr.includes(`'${name}@`) || stderr.includes(`for ${name}@`),
    );
    if (absent === undefined) throw new Error(`npm install has failed: ${stderr}`);
    missing.push(absent);
    delete versions[absent];
  }
}

const { modules, missing } = install();
if (missing.length > 0) console.log(`npm does not have: ${missing.join(', ')}\n`);
const into = join(work, 'run');
rmSync(into, { recursive: true, force: true });
const outcomes = new Map<string, Partial<Record<Side, Outcome>>>();
const own = join(await buildPackage(), 'package', 'vitest.js');
// Alternating, so that a busy machine affects both.
const folders = (['original', 'gatehouse'] as const).map(
  (side) => [side, prepareProjects(sources, { side, into, modules, own })] as const,
);
for (const index of folders[0]![1].keys()) {
  for (const [side, list] of folders) {
    const folder = list[index]!;
    const name = basename(folder);
    if (values.only !== undefined && values.only !== name) continue;
    console.error(`${name}: ${side}`);
    outcomes.set(name, { ...outcomes.get(name), [side]: await runProject(folder, { modules }) });
  }
}
const rows: Row[] = Array.from(outcomes, ([name, { original, gatehouse }]) => ({
  name,
  original,
  gatehouse,
}));
console.log([describeTable(rows), describeStarts(rows), describeWork(rows)].join('\n\n'));
