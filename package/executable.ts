/**
 * The first code of the single executable, in its main thread and in each thread of the program. It makes the modules
 * inside the file importable, then runs one: the command line, or the module in the first argument from another process
 * of the program. The URLs of the modules are below `/dev/null`, where files cannot exist, so a file on disk is never
 * mistaken for one of them.
 *
 * `tools/build-executable.ts` bundles this file and writes the index.
 */
import { createRequire, registerHooks } from 'node:module';
import { getAsset } from 'node:sea';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

/** Information that does not follow from the name of a file. */
export interface ExecutableIndex {
  /** Files that are not ES modules. */
  readonly commonJs: readonly string[];
  /** Paths by importing file and specifier: packages, doors, and files that are imported without their extension. */
  readonly imports: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const root = 'file:///dev/null/gatehouse/';
const index = JSON.parse(getAsset('index.json', 'utf8')) as ExecutableIndex;
const commonJs = new Set(index.commonJs);

registerHooks({
  resolve(specifier, context, nextResolve) {
    const url = find(specifier, context.parentURL ?? '');
    return url === undefined
      ? nextResolve(specifier, context)
      : { url, format: formatOf(url), shortCircuit: true };
  },
  load(url, context, nextLoad) {
    if (!url.startsWith(root)) return nextLoad(url, context);
    return { format: formatOf(url), source: getAsset(url.slice(root.length), 'utf8'), shortCircuit: true };
  },
});

function find(specifier: string, parentUrl: string): string | undefined {
  if (specifier.startsWith(root)) return specifier;
  if (!parentUrl.startsWith(root)) return undefined;
  const found = index.imports[parentUrl.slice(root.length)]?.[specifier];
  if (found !== undefined) return root + found;
  return specifier.startsWith('.') ? new URL(specifier, parentUrl).href : undefined;
}

function formatOf(url: string): 'commonjs' | 'json' | 'module' {
  if (url.endsWith('.json')) return 'json';
  return commonJs.has(url.slice(root.length)) ? 'commonjs' : 'module';
}

/** Returns the module to run; `process.argv` becomes what it would be in a Node process that runs it. */
function takeModule(): string {
  if (!isMainThread) return process.argv.splice(2, 1)[0]!;
  const own = fileURLToPath(root);
  if (process.argv[2]?.startsWith(own) === true) process.argv.splice(1, 1);
  else process.argv[1] = `${own}src/program/cli/main.ts`;
  return `file://${process.argv[1]}`;
}

// Code that is injected into an executable can only import modules of Node; code that it loads can import any.
const load = createRequire(root)('./import.cjs') as (url: string) => Promise<unknown>;
void load(takeModule());
