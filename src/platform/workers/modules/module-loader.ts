/**
 * Loads the modules of a Worker from memory: it can import only the modules of its build, and those of the platform and
 * of Node.
 *
 * Every load is a new graph. Node never unloads a module, so the URLs of each load have a number in their query. The
 * graphs of earlier loads stay in memory until the process ends, which is acceptable for a server that reloads
 * occasionally.
 */
import http from 'node:http';
import { isBuiltin, registerHooks, type LoadHookSync, type ResolveHookSync } from 'node:module';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { WorkerModule, WorkerModules } from '../build/worker-modules.ts';
import { ConfigError } from '../config/config-error.ts';
import { wrapCommonJs } from './commonjs.ts';
import { keepModuleBytes } from './module-bytes.ts';
import { keepGlobal } from './platform-registry.ts';

export interface LoadedModule {
  readonly exports: Readonly<Record<string, unknown>>;
}

/** The parts of the platform's modules for the modules of this load. */
export interface LoadParts {
  /** The id of the Worker's part of `cloudflare:workers`. */
  readonly platform: string;
  /** The global object. */
  readonly global: object;
}

interface Load extends LoadParts {
  /** By URL. Undefined once Node has loaded it: it requests each only once, and code can be large. */
  readonly modules: Map<string, WorkerModule | undefined>;
}

const numberKey = 'gatehouse';
/** Modules that differ between Workers. */
const ownScheme = 'gatehouse:';
const loads = new Map<string, Load>();
let numberLast = 0;
let hooksInstalled = false;

export async function loadModules(
  { root, main, modules }: WorkerModules,
  parts: LoadParts,
): Promise<LoadedModule> {
  if (!hooksInstalled) registerHooks({ resolve: resolveHook, load: loadHook });
  hooksInstalled = true;
  const number = String(++numberLast);
  const urlOf = (name: string): string => withNumber(pathToFileURL(join(root, name)).href, number);
  const entries = Object.entries(modules).map(([name, module]) => [urlOf(name), module] as const);
  loads.set(number, { ...parts, modules: new Map(entries) });
  keepGlobal(number, parts.global);
  return { exports: (await import(urlOf(main))) as Record<string, unknown> };
}

const resolveHook: ResolveHookSync = (specifier, context, nextResolve) => {
  if (numberOf(specifier) !== undefined) return { url: specifier, format: 'module', shortCircuit: true };
  const number = numberOf(context.parentURL);
  const load = number === undefined ? undefined : loads.get(number);
  if (load === undefined) return nextResolve(specifier, context);
  const { platform, modules } = load;
  const own = ownModules.get(specifier);
  if (own !== undefined)
    return { url: `${ownScheme}${own}?platform=${platform}&load=${number}`, shortCircuit: true };
  const shared = sharedModules.get(specifier);
  if (shared !== undefined) return { url: shared, shortCircuit: true };
  if (specifier.startsWith('cloudflare:')) throw createAbsentError(specifier);
  if (specifier.startsWith('node:')) return nextResolve(specifier, context);
  const found = /^\.{0,2}\//.test(specifier) ? toOwnUrl(specifier, context.parentURL!) : undefined;
  if (found !== undefined && modules.has(found)) return { url: found, format: 'module', shortCircuit: true };
  if (isBuiltin(specifier)) return nextResolve(`node:${specifier}`, context);
  throw new ConfigError(`No such module "${specifier}".\n  imported from "${nameOf(context.parentURL!)}"`);
};

const loadHook: LoadHookSync = (url, context, nextLoad) => {
  if (url.startsWith(ownScheme)) {
    const { pathname, searchParams } = new URL(url);
    const source = writeOwnModule(pathname as OwnModule, {
      platform: searchParams.get('platform')!,
      load: searchParams.get('load')!,
    });
    return { format: 'module', source, shortCircuit: true };
  }
  const number = numberOf(url);
  if (number === undefined) return nextLoad(url, context);
  const modules = loads.get(number)?.modules;
  const module = modules?.get(url);
  if (module === undefined) throw new ConfigError(`No such module "${nameOf(url)}".`);
  modules?.set(url, undefined);
  const isThere = (specifier: string): boolean =>
    isBuiltin(specifier) || specifier.startsWith('cloudflare:') || modules!.has(toOwnUrl(specifier, url));
  return { format: 'module', source: toSource(url, module, isThere), shortCircuit: true };
};

/** The URL of another module of the same load. */
function toOwnUrl(specifier: string, from: string): string {
  return withNumber(new URL(specifier, from).href, numberOf(from)!);
}

function toSource(url: string, module: WorkerModule, isThere: (specifier: string) => boolean): string {
  switch (module.type) {
    case 'esm':
      return module.text;
    case 'commonjs':
      return wrapCommonJs(module.text, isThere);
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

/** A module that exports a Worker's own part, and the exports that are the same for all. */
function writeOwnModule(
  name: OwnModule,
  { platform, load }: { readonly platform: string; readonly load: string },
): string {
  const lines = [
    `import { findGlobal, findPlatform } from ${JSON.stringify(beside('platform-registry'))};`,
    `const global = findGlobal(${JSON.stringify(load)});`,
  ];
  switch (name) {
    case 'workers':
      lines.push(
        `export * from ${JSON.stringify(beside('cloudflare-workers'))};`,
        `export const { env, exports, waitUntil, withEnv, withExports, withEnvAndExports } = findPlatform(${JSON.stringify(platform)}).module;`,
      );
      break;
    case 'global':
      lines.push('export default global;');
      break;
    case 'console':
      lines.push(...exportOwn('console', Object.keys(console)));
      break;
    case 'process':
      lines.push(...exportOwn('process', Object.keys(process)));
      // Bundles of earlier versions import it.
      lines.push('export const processEnv = shown.env;');
      break;
    case 'http':
      lines.push(
        `import { createHttpModule } from ${JSON.stringify(beside('node-http'))};`,
        `const shown = createHttpModule(${JSON.stringify(load)});`,
        ...exportNames(Object.keys(http)),
      );
      break;
    case 'node':
      lines.push(
        `import { createNodeModule } from ${JSON.stringify(beside('cloudflare-node'))};`,
        `export const { handleAsNodeRequest, httpServerHandler } = createNodeModule(${JSON.stringify(load)});`,
      );
  }
  return lines.join('\n');
}

/** A module whose default export is the Worker's own object, with its properties as named exports. */
function exportOwn(name: string, properties: readonly string[]): string[] {
  return [`const shown = global[${JSON.stringify(name)}];`, ...exportNames(properties)];
}

/** Exports an object called `shown`, and its properties by name. */
function exportNames(properties: readonly string[]): string[] {
  const names = properties.filter((each) => /^[a-z]\w*$/i.test(each));
  return ['export default shown;', ...names.map((each) => `export const ${each} = shown.${each};`)];
}

/** A module of this program: TypeScript in the repository, JavaScript in the package. */
function beside(name: string): string {
  return new URL(`./${name}${extname(import.meta.url)}`, import.meta.url).href;
}

type OwnModule = 'workers' | 'global' | 'process' | 'console' | 'http' | 'node';

const ownModules: ReadonlyMap<string, OwnModule> = new Map([
  ['cloudflare:workers', 'workers'],
  ['gatehouse:global', 'global'],
  ['gatehouse:process', 'process'],
  ['node:process', 'process'],
  ['process', 'process'],
  ['node:console', 'console'],
  ['console', 'console'],
  ['node:http', 'http'],
  ['http', 'http'],
  ['cloudflare:node', 'node'],
]);
const sharedModules = new Map([
  ['cloudflare:email', beside('cloudflare-email')],
  ['cloudflare:sockets', beside('cloudflare-sockets')],
  ['cloudflare:workflows', beside('cloudflare-workflows')],
  ['gatehouse:bytes', beside('module-bytes')],
]);

function createAbsentError(specifier: string): ConfigError {
  return new ConfigError(
    `${specifier} is a part of the platform that Gatehouse does not have; see docs/reference/objects.md, "Workers APIs"`,
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
