/**
 * Finds modules of this repository by their names alone. A process of ours loads up to a thousand of them, and Node looks for
 * the package, the real path and the format of each: a third of the time of a start. What is not named by a path to a `.ts` file
 * or by a door is left to Node, and so is everything that is imported from elsewhere, such as by a Worker.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const root = new URL('../', import.meta.url);
const folders = ['src/', 'test/', 'tools/'].map((name) => new URL(name, root).href);
const { imports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  readonly imports: Readonly<Record<string, string>>;
};
const doors = new Map(Object.entries(imports).map(([name, path]) => [name, new URL(path, root).href]));

registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL = '' } = context;
    if (!folders.some((folder) => parentURL.startsWith(folder))) return nextResolve(specifier, context);
    const url = specifier.startsWith('.') ? new URL(specifier, parentURL).href : doors.get(specifier);
    return url?.endsWith('.ts') === true
      ? { url, format: 'module-typescript', shortCircuit: true }
      : nextResolve(specifier, context);
  },
});
