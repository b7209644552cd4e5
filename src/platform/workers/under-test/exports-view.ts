/**
 * The `exports` and `ctx.exports` of a Worker under test. Its module may not be loaded yet: names in the configuration
 * exist anyway, all others once it is loaded.
 */
import { DurableObject } from '#objects';
import { WorkerEntrypoint } from '../modules/cloudflare-workers.ts';
import type { ModuleExports } from './tested-code.ts';

export interface ExportsSource {
  /** The exports of the module, once it is loaded. */
  readonly loaded: () => ModuleExports | undefined;
  /** The names of classes whose objects can be called. */
  readonly classNames: readonly string[];
  readonly namespaceOf: (className: string) => object;
  /** `undefined` for the default export. */
  readonly entrypointOf: (name: string | undefined) => object;
}

export function createExportsView(source: ExportsSource): Record<string, unknown> {
  const made = new Map<string, object>();
  const show = (name: string): object | undefined => {
    let shown = made.get(name);
    if (shown === undefined && isShown(name, source)) {
      const isClass = source.classNames.includes(name);
      shown = isClass ? source.namespaceOf(name) : source.entrypointOf(name === 'default' ? undefined : name);
      made.set(name, shown);
    }
    return shown;
  };
  const names = (): string[] => {
    const known = ['default', ...source.classNames, ...Object.keys(source.loaded() ?? {})];
    return [...new Set(known)].filter((name) => isShown(name, source));
  };
  return new Proxy<Record<string, unknown>>(
    {},
    {
      get: (_target, name) => {
        if (typeof name !== 'string') return undefined;
        const shown = show(name);
        if (shown === undefined && name !== 'then') warnOf(name);
        return shown;
      },
      has: (_target, name) => typeof name === 'string' && isShown(name, source),
      ownKeys: names,
      getOwnPropertyDescriptor: (_target, name) =>
        typeof name === 'string' && isShown(name, source)
          ? { value: show(name), enumerable: true, configurable: true, writable: false }
          : undefined,
    },
  );
}

function isShown(name: string, { loaded, classNames }: ExportsSource): boolean {
  if (name === 'default' || classNames.includes(name)) return true;
  const exported = loaded()?.[name];
  if (exported === undefined) return false;
  const prototype: unknown = typeof exported === 'function' ? exported.prototype : undefined;
  return prototype instanceof WorkerEntrypoint && !(prototype instanceof DurableObject);
}

/** With the message of `@cloudflare/vitest-plugin`: tests know it. */
function warnOf(name: string): void {
  console.warn(
    `Attempted to access 'ctx.exports.${name}', which was not defined for the main Worker.\n` +
      `Check that '${name}' is exported as an entry-point from the Worker.\n` +
      "The '@cloudflare/vitest-plugin' integration tries to infer these exports by analyzing the source code of the main Worker.\n",
  );
}
