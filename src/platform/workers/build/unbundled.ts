/**
 * Files of a project that are modules under their own names, by the rules: all of an unbundled project (`no_bundle`),
 * or those that a bundle may import by computed names (`find_additional_modules`).
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { isBuildFailure } from './build-messages.ts';
import { ConfigError } from '../config/config-error.ts';
import { unbundledBytesMax, unbundledFilesMax } from '../limits.ts';
import { toModule } from './file-modules.ts';
import { findRule, type ModuleRule } from '../config/build/module-rules.ts';
import type { BuildSettings } from '../config/build/settings.ts';
import { addsListeners, defineBindings, wrapClassicScript } from './classic-script.ts';
import { useEsbuild } from './esbuild.ts';
import { rewriteGlobals } from './rewrite-globals.ts';
import type { WorkerModule, WorkerModules } from './worker-modules.ts';

const scriptRules: readonly ModuleRule[] = [
  { type: 'ESModule', globs: ['**/*.js', '**/*.mjs'], fallthrough: true },
  { type: 'CommonJS', globs: ['**/*.cjs'], fallthrough: true },
];
const leftOut = new Set(['node_modules', '.git', '.gatehouse', '.wrangler']);

interface UnbundledInput {
  readonly main: string;
  readonly settings: BuildSettings;
  /** The global variables of a Worker in the service worker format. */
  readonly bindings: readonly string[];
}

/** `files` collects the paths to watch, even if this fails. */
export async function readUnbundled(
  { bindings, ...input }: UnbundledInput,
  files: Set<string>,
): Promise<WorkerModules> {
  const collected = collectUnbundled(input, files);
  const first = collected.modules[collected.main] as WorkerModule & { readonly text: string };
  const isClassic = addsListeners(first.text) && (await listExports(first.text)).length === 0;
  if (!isClassic) return await rewriteGlobals(collected);
  const script = await rewriteGlobals(collected, { define: defineBindings(bindings) });
  return await wrapClassicScript({ script, bindings, hasOrigin: false });
}

/** A file that is not JavaScript counts as a module: the loader reports the error. */
async function listExports(contents: string): Promise<readonly string[]> {
  await using use = await useEsbuild();
  const options = { stdin: { contents }, write: false, metafile: true, logLevel: 'silent' } as const;
  try {
    const { metafile } = await use.esbuild.build({ ...options, format: 'esm' });
    return Object.values(metafile.outputs).flatMap(({ exports }) => exports);
  } catch (error) {
    if (isBuildFailure(error)) return ['default'];
    throw error;
  }
}

function collectUnbundled(
  { main, settings }: Omit<UnbundledInput, 'bindings'>,
  files: Set<string>,
): WorkerModules {
  const { baseDirectory: root, rules } = settings;
  files.add(main);
  if (statSync(main, { throwIfNoEntry: false }) === undefined) throw createMissingMain(main);
  const name = toName(root, main);
  if (name.startsWith('..')) throw new ConfigError(`main must be in base_dir: ${main} is not in ${root}`);
  const modules = collectModules({ root, main, rules: [...rules, ...scriptRules] }, files);
  return {
    root,
    main: name,
    modules: { ...modules, [name]: { type: 'esm', text: readFileSync(main, 'utf8') } },
  };
}

/** `main` itself is not one of them. */
export function collectModules(
  {
    root,
    main,
    rules,
  }: { readonly root: string; readonly main: string; readonly rules: readonly ModuleRule[] },
  files: Set<string>,
): Record<string, WorkerModule> {
  const modules: Record<string, WorkerModule> = {};
  let bytes = 0;
  for (const file of listFiles(root)) {
    const rule = findRule(rules, toName(root, file));
    if (rule === undefined || file === main) continue;
    files.add(file);
    const content = readFileSync(file);
    bytes += content.length;
    if (bytes > unbundledBytesMax) throw createTooMany(root, `${unbundledBytesMax} bytes`);
    modules[toName(root, file)] = toModule(rule.type, content);
  }
  return modules;
}

export function createMissingMain(main: string): ConfigError {
  return new ConfigError(`there is no module ${main}: correct main, or create the file`);
}

/** The name of a module: its path relative to the root. */
export function toName(root: string, file: string): string {
  return relative(root, file).split(sep).join('/');
}

function listFiles(root: string): string[] {
  const found: string[] = [];
  const folders = [root];
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (leftOut.has(entry.name)) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) found.push(path);
    }
    if (found.length > unbundledFilesMax) throw createTooMany(root, `${unbundledFilesMax} files`);
  }
  return found;
}

function createTooMany(root: string, limit: string): ConfigError {
  return new ConfigError(
    `${root} has more than ${limit} that could be modules: name the folder of the Worker in base_dir`,
  );
}
