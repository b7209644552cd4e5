/**
 * Loads a Worker's modules the way its bundler would: `cloudflare:workers` is ours, relative imports may leave out or
 * misname their extension, text, data, WebAssembly and JSON files are modules, and a `.js` file is an ES module whatever
 * `type` its package.json has, unless it is written as CommonJS.
 *
 * Every load is a fresh graph. Node never forgets a module, so each load gives its files a generation, carried
 * in the query of their URLs and handed on from importer to imported. Files under `node_modules` have
 * none: they are loaded once. The graphs of earlier loads stay in memory for the life of the process,
 * which is what a development server can afford and a production server does not need.
 */
import { existsSync, readFileSync } from 'node:fs';
import {
  createRequire,
  type LoadHookSync,
  registerHooks,
  type ResolveFnOutput,
  type ResolveHookContext,
  type ResolveHookSync,
} from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ConfigError } from '../config/config-error.ts';
import { isCommonJs } from './common-js.ts';
import { compileTypeScript } from './typescript.ts';

export interface LoadedModule {
  readonly exports: Readonly<Record<string, unknown>>;
}

const generationKey = 'gatehouse';
/** The modules of the platform. Beside this file: TypeScript in the repository, JavaScript in the package. */
const platformModules = new Map(
  ['workers', 'email', 'sockets'].map((name) => [
    `cloudflare:${name}`,
    new URL(`./cloudflare-${name}${extname(import.meta.url)}`, import.meta.url).href,
  ]),
);

/** The files of each generation that is being watched or loaded. */
const filesByGeneration = new Map<string, Set<string>>();
/** The URLs of the main modules that are being loaded: those are ES modules whatever they look like. */
const mains = new Set<string>();
/** The generation that each CommonJS file of the project was loaded for last. */
const commonJsGenerations = new Map<string, string>();
const { cache: requireCache } = createRequire(import.meta.url);
let generationLast = 0;
let hooksInstalled = false;

/**
 * Loads `file` and what it imports. `files` is filled with the paths of the project's files as they are met, so
 * that it says what to watch also when the load fails.
 */
export async function loadModule(file: string, files: Set<string>): Promise<LoadedModule> {
  if (!hooksInstalled) registerHooks({ resolve: resolveHook, load: loadHook });
  hooksInstalled = true;
  const generation = String(++generationLast);
  filesByGeneration.set(generation, files);
  files.add(file);
  if (!existsSync(file)) throw new ConfigError(`there is no module ${file}: correct main, or make the file`);
  const url = withGeneration(pathToFileURL(file).href, generation);
  mains.add(url);
  // `require` answers from its cache before it asks anybody: what it has run for earlier generations is to run anew.
  for (const each of commonJsGenerations.keys()) delete requireCache[each];
  try {
    return { exports: (await import(url)) as Record<string, unknown> };
  } finally {
    mains.delete(url);
  }
}

/** Stops noting the files of loads that `files` belonged to. */
export function forgetFiles(files: Set<string>): void {
  for (const [generation, each] of filesByGeneration)
    if (each === files) filesByGeneration.delete(generation);
}

const resolveHook: ResolveHookSync = (specifier, context, nextResolve) => {
  const platformModule = platformModules.get(specifier);
  if (platformModule !== undefined) return { url: platformModule, shortCircuit: true };
  if (specifier.startsWith('cloudflare:')) {
    const importer = context.parentURL?.replace(/^file:\/\/|\?.*$/g, '');
    throw new ConfigError(
      `${specifier}, imported by ${importer}, is a part of the platform that Gatehouse does not have; ` +
        'see docs/objects.md, "Workers APIs"',
    );
  }
  const generation = generationOf(context.parentURL) ?? generationOfCommonJs(context.parentURL);
  if (generation === undefined) return nextResolve(specifier, context);
  const resolved = resolveLoosely(specifier, context, nextResolve);
  if (!resolved.url.startsWith('file:') || resolved.url.includes('/node_modules/')) return resolved;
  const url = withGeneration(resolved.url, generation);
  if (!new URL(url).pathname.endsWith('.json')) return { ...resolved, url };
  return { ...resolved, url, importAttributes: { ...context.importAttributes, type: 'json' } };
};

/** As Node does, and where that finds nothing, with the endings that a bundler would try. */
function resolveLoosely(
  specifier: string,
  context: ResolveHookContext,
  nextResolve: Parameters<ResolveHookSync>[2],
): ResolveFnOutput {
  try {
    return nextResolve(specifier, context);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_UNSUPPORTED_DIR_IMPORT';
    if (!isMissing || !/^(?:\.|\/|file:)/.test(specifier)) throw error;
    for (const candidate of candidatesFor(specifier)) {
      try {
        return nextResolve(candidate, context);
      } catch {
        // The next candidate; the first error is the one to report.
      }
    }
    throw error;
  }
}

function candidatesFor(specifier: string): string[] {
  const rewritten = specifier.replace(/\.([mc]?)js(x?)$/, '.$1ts$2');
  const endings = [
    '.ts',
    '.tsx',
    '.mts',
    '.js',
    '.mjs',
    '.jsx',
    '/index.ts',
    '/index.tsx',
    '/index.js',
    '/index.mjs',
  ];
  return [...(rewritten === specifier ? [] : [rewritten]), ...endings.map((ending) => specifier + ending)];
}

const loadHook: LoadHookSync = (url, context, nextLoad) => {
  const generation = generationOf(url);
  if (generation === undefined) return nextLoad(url, context);
  const file = fileURLToPath(url);
  filesByGeneration.get(generation)?.add(file);
  const source = sourceOf(file);
  if (source !== undefined) return { format: 'module', source, shortCircuit: true };
  const format = formatOf(url, file, context.format);
  if (format === 'commonjs') commonJsGenerations.set(file, generation);
  return nextLoad(url, { ...context, format });
};

/** Node goes by the package of a `.js` file; a bundler by what is in it. */
function formatOf(url: string, file: string, format: string | null | undefined): string | null | undefined {
  if (extname(file) !== '.js' || format === 'module') return format;
  return mains.has(url) || !isCommonJs(readFileSync(file, 'utf8')) ? 'module' : 'commonjs';
}

/** Code that `require` has loaded is known by its path alone: which generation it belongs to stands in a map. */
function generationOfCommonJs(url: string | undefined): string | undefined {
  if (commonJsGenerations.size === 0 || url?.startsWith('file:') !== true) return undefined;
  return commonJsGenerations.get(fileURLToPath(url));
}

/** The JavaScript of files that are not JavaScript yet; undefined for those that Node can load itself. */
function sourceOf(file: string): string | undefined {
  switch (extname(file)) {
    case '.ts':
    case '.mts':
    case '.tsx':
    case '.jsx':
      return compileTypeScript(readFileSync(file, 'utf8'), file);
    case '.txt':
    case '.html':
    case '.sql':
      return `export default ${JSON.stringify(readFileSync(file, 'utf8'))};`;
    case '.bin':
      return `export default ${bytesOf(file)}.buffer;`;
    case '.wasm':
      return `export default new WebAssembly.Module(${bytesOf(file)});`;
    default:
      return undefined;
  }
}

function bytesOf(file: string): string {
  return `Uint8Array.fromBase64(${JSON.stringify(readFileSync(file, 'base64'))})`;
}

function generationOf(url: string | undefined): string | undefined {
  if (url === undefined || !url.includes(`${generationKey}=`)) return undefined;
  return new URL(url).searchParams.get(generationKey) ?? undefined;
}

function withGeneration(url: string, generation: string): string {
  const generational = new URL(url);
  generational.searchParams.set(generationKey, generation);
  return generational.href;
}
