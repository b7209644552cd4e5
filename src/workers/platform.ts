/**
 * What depends on the Worker that is loaded, for the module `cloudflare:workers` and for the objects. One process runs
 * one Worker: these are the same objects through all versions of its code, and `usePlatform` refills them.
 */
import { createBindings } from '#bindings';
import type { DurableObjectNamespace } from '#objects';
import { useSocketSettings } from '#sockets';
import type { BackgroundWork } from './background.ts';
import { useErrorReports } from './globals/report-error.ts';
import type { Plan } from './plan.ts';

interface Platform {
  readonly env: Record<string, unknown>;
  /** The namespace of each class, by the name that the module exports it under. */
  readonly exports: Record<string, unknown>;
  background: BackgroundWork | undefined;
}

export const platform: Platform = { env: {}, exports: {}, background: undefined };

export function usePlatform(
  { config, bindings, classes }: Plan,
  namespaceOf: (className: string) => DurableObjectNamespace,
  background: BackgroundWork,
): void {
  empty(platform.env);
  empty(platform.exports);
  Object.assign(platform.env, config.vars);
  for (const [name, explanation] of config.absent) defineAbsent(platform.env, name, explanation);
  const { queueContentType } = config.compatibility;
  Object.assign(platform.env, createBindings(config.declared, { namespaceOf, queueContentType }));
  for (const { name, className } of bindings) platform.env[name] = namespaceOf(className);
  for (const className of Object.keys(classes)) platform.exports[className] = namespaceOf(className);
  platform.background = background;
  useErrorReports((error) => background.report(error));
  useSocketSettings(config.compatibility.sockets);
}

function empty(target: object): void {
  for (const key of Reflect.ownKeys(target)) Reflect.deleteProperty(target, key);
}

/** Not enumerable, so that a copy of the whole `env` does not trip over it. */
function defineAbsent(env: object, name: string, explanation: string): void {
  Object.defineProperty(env, name, {
    configurable: true,
    get() {
      throw new Error(explanation);
    },
  });
}
