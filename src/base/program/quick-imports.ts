/**
 * Finds modules of ours by their names alone. A process of ours loads up to a thousand of them, and Node looks for the
 * package, the real path and the format of each: a third of the time of a start. What is imported from elsewhere, such as
 * by a Worker, is left to Node, and so is what is not named by a path to a module or by a door.
 */
import { registerHooks } from 'node:module';

const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
const format = extension === '.ts' ? 'module-typescript' : 'module';
const source = new URL('../../', import.meta.url).href;
/** A door is beside its room. A package that was built has none: there, all are named by paths. */
const door = /^#([a-z0-9-]+)$/;

/** From now on, in this thread. `folders` are those besides our own whose modules may be found so. */
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
  const room = extension === '.ts' ? door.exec(specifier)?.[1] : undefined;
  return room === undefined ? undefined : `${source}${room}${extension}`;
}
