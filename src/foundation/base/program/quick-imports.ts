/**
 * Resolves the program's own modules by their names alone. A process loads up to a thousand of them, and Node looks up
 * the package, the real path and the format of each: a third of the start time. Imports from elsewhere, such as by a
 * Worker, are left to Node, and so are specifiers other than a path to a module or a door.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { isSea } from 'node:sea';

const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
const format = extension === '.ts' ? 'module-typescript' : 'module';
const source = new URL('../../../', import.meta.url).href;
/** The doors in `package.json`. A built package has none: there, all imports are paths. */
const doors: Readonly<Record<string, string>> = extension === '.ts' && !isSea() ? readDoors() : {};

function readDoors(): Record<string, string> {
  const text = readFileSync(new URL('../package.json', source), 'utf8');
  const { imports } = JSON.parse(text) as { readonly imports: Record<string, string> };
  return Object.fromEntries(
    Object.entries(imports).map(([door, path]) => [door, new URL(`../${path}`, source).href]),
  );
}

/** From now on, in this thread. `folders` are additional ones whose modules may be resolved this way. */
export function importQuickly(folders: readonly string[] = []): void {
  const ours = [source, ...folders];
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const { parentURL = '' } = context;
      if (!ours.some((folder) => parentURL.startsWith(folder))) return nextResolve(specifier, context);
      const url = find(specifier, parentURL);
      return url?.endsWith(extension) === true
        ? { url, format, shortCircuit: true }
        : nextResolve(specifier, context);
    },
  });
}

function find(specifier: string, parentUrl: string): string | undefined {
  if (specifier.startsWith('.')) return new URL(specifier, parentUrl).href;
  return Object.hasOwn(doors, specifier) ? doors[specifier] : undefined;
}
