/** Workers that run beside the one under test: built from a script, or from modules in the options. */
import { resolve } from 'node:path';
import { isObject } from '#base';
import { buildConfigured, ConfigError, readInlineConfig, rewriteGlobals, type WorkerModules } from '#workers';
import type { FunctionTable } from './function-table.ts';
import { type MiniflareOptions, readMiniflare } from './miniflare-options.ts';
import type { WorkerSetup } from './worker-setup.ts';

interface AuxiliaryPlace {
  readonly root: string;
  /** The name of the options in messages. */
  readonly shown: string;
  readonly functions: FunctionTable;
}

export async function buildAuxiliary(options: MiniflareOptions, place: AuxiliaryPlace): Promise<WorkerSetup> {
  const { root, shown } = place;
  if (!isObject(options)) throw new ConfigError(`${shown} must be an object`);
  const { name, modules, modulesRoot, script, scriptPath, ...others } = options;
  if (typeof name !== 'string' || name === '') throw new ConfigError(`${shown}.name is missing`);
  const { extra, consumers, ...rest } = readMiniflare(others, place);
  const directory = resolve(root, typeof modulesRoot === 'string' ? modulesRoot : '.');
  const main = typeof scriptPath === 'string' ? resolve(root, scriptPath) : resolve(directory, 'index.js');
  const read = readInlineConfig({ ...extra, name, main }, { shown, directory });
  const config = {
    ...read,
    declared: { ...read.declared, queueConsumers: [...read.declared.queueConsumers, ...consumers] },
  };
  const setup = { ...rest, config, consumers };
  const text = Array.isArray(modules) ? undefined : script;
  if (modules !== true && !Array.isArray(modules))
    throw new ConfigError(
      `${shown} must have modules: true, or a list of modules: other scripts are not run`,
    );
  if (Array.isArray(modules)) return { ...setup, modules: await readModules(modules, { directory, shown }) };
  if (typeof text === 'string') {
    const one = {
      root: directory,
      main: 'index.js',
      modules: { 'index.js': { type: 'esm', text } },
    } as const;
    return { ...setup, modules: await rewriteGlobals(one) };
  }
  if (typeof scriptPath !== 'string') throw new ConfigError(`${shown}.scriptPath is missing`);
  return { ...setup, modules: (await buildConfigured(config)).modules };
}

const moduleTypes: Readonly<Record<string, WorkerModules['modules'][string]['type']>> = {
  ESModule: 'esm',
  CommonJS: 'commonjs',
  Text: 'text',
  JSON: 'json',
  Data: 'data',
  CompiledWasm: 'wasm',
};

async function readModules(
  list: readonly unknown[],
  { directory, shown }: { readonly directory: string; readonly shown: string },
): Promise<WorkerModules> {
  const modules: Record<string, WorkerModules['modules'][string]> = {};
  for (const [index, each] of list.entries()) {
    const at = `${shown}.modules[${index}]`;
    if (!isObject(each)) throw new ConfigError(`${at} must be an object`);
    const { path, type, contents } = each;
    const kind = moduleTypes[String(type)];
    if (typeof path !== 'string' || contents === undefined)
      throw new ConfigError(`${at} must have path and contents`);
    if (kind === undefined)
      throw new ConfigError(
        `${at}.type must be one of ${Object.keys(moduleTypes).join(', ')}: ${JSON.stringify(type)}`,
      );
    modules[path] =
      kind === 'data' || kind === 'wasm'
        ? { type: kind, bytes: Buffer.from(contents as Uint8Array) }
        : {
            type: kind,
            text: typeof contents === 'string' ? contents : Buffer.from(contents as Uint8Array).toString(),
          };
  }
  const [main] = Object.keys(modules);
  if (main === undefined) throw new ConfigError(`${shown}.modules is empty`);
  return await rewriteGlobals({ root: directory, main, modules });
}
