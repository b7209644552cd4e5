/**
 * Loads the modules of a Worker from memory: what its build left is all that it can import, beside the modules of the
 * platform and of Node.
 *
 * Every load is a fresh graph. Node never forgets a module, so each load gives its modules a number, carried in the query of
 * their URLs. The graphs of earlier loads stay in memory for the life of the process, which is what a server that reloads
 * now and then can afford.
 */
import { registerHooks, type LoadHookSync, type ResolveHookSync } from 'node:module';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { WorkerModule, WorkerModules } from '../build/worker-modules.ts';
import { ConfigError } from '../config/config-error.ts';
import { keepModuleBytes } from './module-bytes.ts';

export interface LoadedModule {
  readonly exports: Readonly<Record<string, unknown>>;
}

interface Load {
  /** What `cloudflare:workers` of this Worker shows. */
  readonly platform: string;
  /** By URL. Undefined once Node has it: it asks for each only once, and code can be large. */
  readonly modules: Map<string, WorkerModule | undefined>;
}

const numberKey = 'gatehouse';
/** Modules that differ from Worker to Worker. */
const ownScheme = 'gatehouse:';
const loads = new Map<string, Load>();
let numberLast = 0;
let hooksInstalled = false;

/** `platform` is the id of what `cloudflare:workers` is to show. */
export async function loadModules(
  { root, main, modules }: WorkerModules,
  platform: string,
): Promise<LoadedModule> {
  if (!hooksInstalled) registerHooks({ resolve: resolveHook, load: loadHook });
  hooksInstalled = true;
  const number = String(++numberLast);
  const urlOf = (name: string): string => withNumber(pathToFileURL(join(root, name)).href, number);
  const entries = Object.entries(modules).map(([name, module]) => [urlOf(name), module] as const);
  loads.set(number, { platform, modules: new Map(entries) });
  return { exports: (await import(urlOf(main))) as Record<string, unknown> };
}

const resolveHook: ResolveHookSync = (specifier, context, nextResolve) => {
  if (numberOf(specifier) !== undefined) return { url: specifier, format: 'module', shortCircuit: true };
  const number = numberOf(context.parentURL);
  const load = number === undefined ? undefined : loads.get(number);
  if (load === undefined) return nextResolve(specifier, context);
  const { platform, modules } = load;
  if (ownModules.has(specifier)) {
    return { url: `${ownScheme}${specifier.split(':')[1]}?platform=${platform}`, shortCircuit: true };
  }
  const shared = sharedModules.get(specifier);
  if (shared !== undefined) return { url: shared, shortCircuit: true };
  if (specifier.startsWith('cloudflare:')) throw createAbsentError(specifier);
  if (specifier.startsWith('node:')) return nextResolve(specifier, context);
  const found = /^\.{0,2}\//.test(specifier)
    ? withNumber(new URL(specifier, context.parentURL).href, number!)
    : undefined;
  if (found !== undefined && modules.has(found)) return { url: found, format: 'module', shortCircuit: true };
  throw new ConfigError(`No such module "${specifier}".\n  imported from "${nameOf(context.parentURL!)}"`);
};

const loadHook: LoadHookSync = (url, context, nextLoad) => {
  if (url.startsWith(ownScheme)) {
    const { pathname, searchParams } = new URL(url);
    const source = writeOwnModule(pathname, searchParams.get('platform')!);
    return { format: 'module', source, shortCircuit: true };
  }
  const number = numberOf(url);
  if (number === undefined) return nextLoad(url, context);
  const modules = loads.get(number)?.modules;
  const module = modules?.get(url);
  if (module === undefined) throw new ConfigError(`No such module "${nameOf(url)}".`);
  modules?.set(url, undefined);
  return { format: 'module', source: toSource(url, module), shortCircuit: true };
};

function toSource(url: string, module: WorkerModule): string {
  switch (module.type) {
    case 'esm':
      return module.text;
    case 'text':
      return `export default ${JSON.stringify(module.text)};`;
    case 'json':
      return `export default JSON.parse(${JSON.stringify(module.text)});`;
    case 'data':
    case 'wasm': {
      keepModuleBytes(url, module.bytes);
      const bytes = `takeModuleBytes(${JSON.stringify(url)})`;
      const value = module.type === 'data' ? `${bytes}.buffer` : `new WebAssembly.Module(${bytes})`;
      return `import { takeModuleBytes } from "gatehouse:bytes";\nexport default ${value};`;
    }
  }
}

/** A module that shows what belongs to one Worker, beside what is the same for all. */
function writeOwnModule(name: string, platform: string): string {
  const find = `findPlatform(${JSON.stringify(platform)})`;
  const lines = [`import { findPlatform } from ${JSON.stringify(beside('platform-registry'))};`];
  if (name === 'process') return [...lines, `export const { processEnv } = ${find};`].join('\n');
  return [
    ...lines,
    `export * from ${JSON.stringify(beside('cloudflare-workers'))};`,
    `export const { env, exports, waitUntil, withEnv, withExports, withEnvAndExports } = ${find}.module;`,
  ].join('\n');
}

/** A module of ours: TypeScript in the repository, JavaScript in the package. */
function beside(name: string): string {
  return new URL(`./${name}${extname(import.meta.url)}`, import.meta.url).href;
}

const ownModules: ReadonlySet<string> = new Set(['cloudflare:workers', 'gatehouse:process']);
const sharedModules = new Map([
  ['cloudflare:email', beside('cloudflare-email')],
  ['cloudflare:sockets', beside('cloudflare-sockets')],
  ['gatehouse:bytes', beside('module-bytes')],
]);

function createAbsentError(specifier: string): ConfigError {
  return new ConfigError(
    `${specifier} is a part of the platform that Gatehouse does not have; see docs/build/objects.md, "Workers APIs"`,
  );
}

function nameOf(url: string): string {
  return new URL(url).pathname.split('/').at(-1)!;
}

function numberOf(url: string | undefined): string | undefined {
  if (url === undefined || !url.includes(`${numberKey}=`)) return undefined;
  return URL.parse(url)?.searchParams.get(numberKey) ?? undefined;
}

function withNumber(url: string, number: string): string {
  const numbered = new URL(url);
  numbered.searchParams.set(numberKey, number);
  return numbered.href;
}
