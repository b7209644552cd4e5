/**
 * Loads a module whose objects are simulated: bundled as Wrangler bundles, so that whatever a project is written in loads,
 * with the modules of the platform that can be simulated. Those that cannot are refused by name.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks, type ResolveHookSync } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isBuildFailure, toConfigError } from '../build/build-messages.ts';
import { useEsbuild } from '../build/esbuild.ts';
import { ConfigError } from '../config/config-error.ts';

const platformModule = new URL(`./simulated-platform${extname(import.meta.url)}`, import.meta.url).href;

interface SimulatedModuleOptions {
  /** The URLs of modules that are not bundled, by the names they are imported by. */
  readonly shared: ReadonlyMap<string, string>;
}

export async function loadSimulatedModule(
  file: string,
  { shared }: SimulatedModuleOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const text = await bundle(file, [...shared.keys()]);
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-simulation-'));
  const output = join(directory, 'module.mjs');
  const hooks = registerHooks({ resolve: createResolveHook(shared, pathToFileURL(output).href) });
  try {
    writeFileSync(output, text);
    return (await import(pathToFileURL(output).href)) as Record<string, unknown>;
  } finally {
    hooks.deregister();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function bundle(file: string, external: readonly string[]): Promise<string> {
  await using use = await useEsbuild();
  try {
    const { outputFiles } = await use.esbuild.build({
      absWorkingDir: dirname(file),
      entryPoints: [file],
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      target: 'es2024',
      conditions: ['workerd', 'worker', 'browser'],
      external: ['cloudflare:*', ...external],
      keepNames: true,
      sourcemap: 'inline',
      logLevel: 'silent',
    });
    return outputFiles[0]!.text;
  } catch (error) {
    if (isBuildFailure(error)) throw toConfigError(error, () => undefined);
    throw error;
  }
}

function createResolveHook(shared: ReadonlyMap<string, string>, from: string): ResolveHookSync {
  return (specifier, context, nextResolve) => {
    if (context.parentURL !== from) return nextResolve(specifier, context);
    if (specifier === 'cloudflare:workers') return { url: platformModule, shortCircuit: true };
    if (specifier.startsWith('cloudflare:'))
      throw new ConfigError(
        `${specifier} cannot be simulated: what it does is decided outside of the process`,
      );
    const url = shared.get(specifier);
    return url === undefined ? nextResolve(specifier, context) : { url, shortCircuit: true };
  };
}
