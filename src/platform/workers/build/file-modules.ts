/**
 * Files that are modules without compilation: text, data and WebAssembly. They stay outside of the bundle, which
 * imports them.
 */
import type { Plugin } from 'esbuild';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, isAbsolute, relative, sep } from 'node:path';
import { findRule, type ModuleRule, type RuleType } from '../config/build/module-rules.ts';
import type { WorkerModule } from './worker-modules.ts';

export interface FileModulesOptions {
  readonly rules: readonly ModuleRule[];
  readonly preservesFileNames: boolean;
}

/** The modules of one build, and their files. */
export interface FoundModules {
  readonly modules: Map<string, WorkerModule>;
  readonly files: Set<string>;
}

/** Refills `found` at each build. */
export function collectFileModules(
  { rules, preservesFileNames }: FileModulesOptions,
  found: FoundModules,
): Plugin {
  const own = rules.filter(({ type }) => type !== 'ESModule' && type !== 'CommonJS');
  return {
    name: 'file-modules',
    setup(build) {
      build.onStart(() => {
        found.modules.clear();
        found.files.clear();
      });
      build.onResolve({ filter: /\./ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        const rule = pluginData === collectFileModules ? undefined : findRule(own, path);
        if (rule === undefined || kind === 'entry-point') return undefined;
        // `?module` only declares the kind of the file.
        const plain = path.replace(/\?module$/, '');
        const resolved = await build.resolve(plain, {
          kind,
          importer,
          resolveDir,
          pluginData: collectFileModules,
        });
        if (resolved.errors.length > 0) return { errors: resolved.errors };
        found.files.add(resolved.path);
        const bytes = await readFile(resolved.path);
        const hash = createHash('sha1').update(bytes).digest('hex');
        const hashed = `${hash}-${basename(resolved.path)}`;
        const name = preservesFileNames
          ? nameFile(build.initialOptions.absWorkingDir!, resolved.path, hashed)
          : hashed;
        found.modules.set(name, toModule(rule.type, bytes));
        return { path: `./${name}`, external: true, watchFiles: [resolved.path] };
      });
    },
  };
}

/** The path in the project; files outside of it have none. */
function nameFile(directory: string, path: string, otherwise: string): string {
  const name = relative(directory, path);
  return name.startsWith('..') || isAbsolute(name) ? otherwise : name.split(sep).join('/');
}

export function toModule(type: RuleType, bytes: Buffer): WorkerModule {
  switch (type) {
    case 'Text':
      return { type: 'text', text: bytes.toString('utf8') };
    case 'Data':
      return { type: 'data', bytes: new Uint8Array(bytes) };
    case 'CompiledWasm':
      return { type: 'wasm', bytes: new Uint8Array(bytes) };
    case 'ESModule':
      return { type: 'esm', text: bytes.toString('utf8') };
    case 'CommonJS':
      return { type: 'commonjs', text: bytes.toString('utf8') };
  }
}
