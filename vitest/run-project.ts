/**
 * Runs the tests of a project made for `@cloudflare/vitest-plugin`: as it is, or with the one line of its configuration
 * changed that makes it one for Gatehouse. Our reporter (`report.ts`) writes the results.
 */
import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Report } from './report.ts';

export type Side = 'original' | 'gatehouse';

const ownPlugin = 'gatehouse/vitest';
const originalPlugins = /(['"])@cloudflare\/(?:vitest-plugin|vitest-pool-workers)\1/g;
/** What some projects import from three folders above them: settings of their repository. */
const sharedName = 'vitest.shared';

interface Preparation {
  readonly side: Side;
  readonly into: string;
  readonly modules: string;
  /** The module that is `gatehouse/vitest`; that of the sources by default. */
  readonly own?: string;
}

/** Copies projects beside packages that they can import. Returns their folders. */
export function prepareProjects(sources: string, { side, into, modules, own }: Preparation): string[] {
  const place = join(into, 'repository', 'projects', side);
  cpSync(sources, place, { recursive: true, filter: (source) => !source.endsWith('node_modules') });
  linkModules(place, modules);
  if (side === 'gatehouse')
    addOwnPackage(place, own ?? join(import.meta.dirname, '..', 'package', 'vitest.ts'));
  return readdirSync(place, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .map(({ name }) => join(place, name))
    .filter((folder) => configOf(folder) !== undefined)
    .map((folder) => {
      adaptConfig(configOf(folder)!, side);
      return folder;
    });
}

function configOf(folder: string): string | undefined {
  const name = readdirSync(folder).find((each) => /^vitest\.config\.[cm]?[jt]s$/.test(each));
  return name === undefined ? undefined : join(folder, name);
}

function adaptConfig(file: string, side: Side): void {
  const text = readFileSync(file, 'utf8');
  if (side === 'gatehouse') writeFileSync(file, text.replace(originalPlugins, `'${ownPlugin}'`));
  const shared = /from ['"](\.[^'"]*vitest\.shared)['"]/.exec(text)?.[1];
  if (shared === undefined) return;
  const path = resolve(dirname(file), dirname(shared), `${sharedName}.ts`);
  if (!existsSync(path)) writeFileSync(path, 'export default { test: { testTimeout: 60_000 } };\n');
}

/** Packages of others, by links. */
function linkModules(place: string, modules: string): void {
  const own = join(place, 'node_modules');
  if (!existsSync(join(place, 'package.json')))
    writeFileSync(join(place, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  mkdirSync(own, { recursive: true });
  for (const name of readdirSync(modules)) {
    if (name !== 'gatehouse' && !name.startsWith('.cache')) symlinkSync(join(modules, name), join(own, name));
  }
}

function addOwnPackage(place: string, module: string): void {
  const folder = join(place, 'node_modules', 'gatehouse');
  mkdirSync(folder);
  const manifest = { name: 'gatehouse', type: 'module', exports: { './vitest': './vitest.js' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'vitest.js'), `export * from ${JSON.stringify(pathToFileURL(module).href)};\n`);
}

export interface Outcome {
  /** Undefined if the run did not finish. */
  readonly report: Report | undefined;
  readonly output: string;
  /** From the start of Vitest to its end. */
  readonly runMs: number;
}

/** Runs the files of one project one after the other. */
export async function runProject(
  folder: string,
  { modules, timeoutMs = 600_000 }: { readonly modules: string; readonly timeoutMs?: number },
): Promise<Outcome> {
  const file = join(folder, 'gatehouse-report.json');
  const reporter = join(import.meta.dirname, 'report.ts');
  const args = ['run', '--no-file-parallelism', '--no-color', `--reporter=${reporter}`];
  const startedAtMs = performance.now();
  const child = spawn(process.execPath, [join(modules, 'vitest', 'vitest.mjs'), ...args], {
    cwd: folder,
    env: {
      ...process.env,
      GATEHOUSE_REPORT: file,
      VITE_CONFIG_NATIVE_IGNORE_WARNING: 'true',
      PATH: `${join(modules, '.bin')}:${process.env['PATH']}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const { promise, resolve: end, reject } = Promise.withResolvers<void>();
  child.once('error', reject);
  child.once('close', () => end());
  await promise;
  const runMs = performance.now() - startedAtMs;
  const report = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : undefined;
  return { report, output, runMs };
}
