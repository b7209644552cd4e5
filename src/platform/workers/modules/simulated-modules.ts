/**
 * Loads a module whose objects are simulated: bundled as Wrangler does, so that projects in any language of Wrangler
 * load, with the modules of the platform that can be simulated. The others are refused by name.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks, type ResolveHookSync } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isBuildFailure, toConfigError } from '../build/build-messages.ts';
import { useEsbuild } from '../build/esbuild.ts';
import { ConfigError } from '../config/config-error.ts';

/** The platform's modules in a simulation, by specifier. */
const platformModules: ReadonlyMap<string, string> = new Map([
  ['cloudflare:workers', urlOf('simulated-platform')],
  // A message is a value; sending one needs a binding.
  ['cloudflare:email', urlOf('cloudflare-email')],
]);

const sockets = 'what a native socket does is decided outside of the process';
const threads = 'when a thread runs does not follow from a seed';
const processes = 'what another process does is decided outside of this one';
/** Modules of Node that cannot be simulated faithfully, and why. */
const unfaithful: ReadonlyMap<string, string> = new Map([
  ...['net', 'tls', 'dgram', 'http', 'https', 'http2'].map((name) => [name, sockets] as const),
  ['worker_threads', threads],
  ...['child_process', 'cluster'].map((name) => [name, processes] as const),
]);

interface SimulatedModuleOptions {
  /** The URLs of modules that are not bundled, by specifier. */
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
      mainFields: ['browser', 'module', 'main'],
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
    const url = platformModules.get(specifier) ?? shared.get(specifier) ?? refusalOf(specifier);
    if (url !== undefined) return { url, shortCircuit: true };
    if (specifier.startsWith('cloudflare:'))
      throw new ConfigError(
        `${specifier} cannot be simulated: what it does is decided outside of the process`,
      );
    return nextResolve(specifier, context);
  };
}

/**
 * A module whose use is refused by name. Its import is allowed, because many packages import modules that they never
 * use.
 */
function refusalOf(specifier: string): string | undefined {
  const name = specifier.replace(/^node:/, '');
  const why = unfaithful.get(name);
  if (why === undefined) return undefined;
  const names = Object.keys(process.getBuiltinModule(name) as object).filter((each) => each !== 'default');
  const text = [
    `const refuse = (name) => function () { throw new TypeError(\`\${name} of node:${name} cannot be simulated: ${why}\`); };`,
    ...names.map((each) => `const $${each} = refuse('${each}'); export { $${each} as ${each} };`),
    `export default { ${names.map((each) => `${each}: $${each}`).join(', ')} };`,
  ];
  return `data:text/javascript,${encodeURIComponent(text.join('\n'))}`;
}

function urlOf(name: string): string {
  return new URL(`./${name}${extname(import.meta.url)}`, import.meta.url).href;
}
