/**
 * Bundles a project into one module, as Wrangler does: the same bundler with the same settings, so that packages
 * resolve to the same files. Rebuilding a project only reads changed files.
 */
import type { BuildContext, BuildOptions, BuildResult, Message, Plugin } from 'esbuild';
import { existsSync } from 'node:fs';
import { basename, dirname, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readOwnFile } from '#base';
import { describeMessage, isBuildFailure, listFiles, toConfigError } from './build-messages.ts';
import { useEsbuild } from './esbuild.ts';
import { addsListeners, defineBindings, wrapClassicScript } from './classic-script.ts';
import { collectFileModules, type FoundModules } from './file-modules.ts';
import { explainMissing, keepPlatformImports } from './platform-imports.ts';
import { globalRewriting } from '../realm/global-names.ts';
import { noWorker } from '../config/assets-settings.ts';
import { findRule } from '../config/build/module-rules.ts';
import type { BuildSettings } from '../config/build/settings.ts';
import type { NodeCompatibility } from '../config/compatibility.ts';
import { ConfigError } from '../config/config-error.ts';
import { rewriteGlobals } from './rewrite-globals.ts';
import { collectModules, toName } from './unbundled.ts';
import type { WorkerModules } from './worker-modules.ts';

export interface BundleInput {
  readonly directory: string;
  readonly main: string;
  readonly settings: BuildSettings;
  readonly node: NodeCompatibility;
  readonly mode: 'development' | 'production';
  /** The global variables of a Worker in the service worker format. */
  readonly bindings: readonly string[];
}

export interface Bundle {
  readonly modules: WorkerModules;
  readonly warnings: readonly string[];
}

interface Open {
  readonly key: string;
  readonly context: BuildContext;
  readonly found: FoundModules;
}

/** The path of the bundle: beside the objects, so that it hides no file of the project in a stack trace. */
const outputName = '.gatehouse/worker.js';

export class Bundler implements AsyncDisposable {
  #esbuild: Awaited<ReturnType<typeof useEsbuild>> | undefined;
  #open: Open | undefined;

  /** `files` collects the paths to watch, even if this fails. */
  async bundle(input: BundleInput, files: Set<string>): Promise<Bundle> {
    const { directory, node, main, settings } = input;
    files.add(main);
    const { context, found } = await this.#openFor(input);
    try {
      const result = await context.rebuild();
      if (isClassic(result)) return await this.#bundleClassic(input, files);
      for (const file of [...listInputs(result, directory), ...found.files]) files.add(file);
      const modules = toModules(result, found);
      const others = settings.findsModules === true ? await findModules(modules, input, files) : {};
      return {
        modules: { ...modules, modules: { ...others, ...modules.modules } },
        warnings: describeWarnings(result.warnings),
      };
    } catch (error) {
      if (!isBuildFailure(error)) throw await this.#startAnew(error as Error);
      for (const file of listFiles(error.errors, directory)) files.add(file);
      throw toConfigError(error, (text) => explainMissing(text, node));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#open?.context.dispose();
    this.#open = undefined;
    await this.#esbuild?.[Symbol.asyncDispose]();
    this.#esbuild = undefined;
  }

  /** Only the bundle shows its format, so a service worker is built a second time. */
  async #bundleClassic(input: BundleInput, files: Set<string>): Promise<Bundle> {
    const { directory, bindings } = input;
    const found: FoundModules = { modules: new Map(), files: new Set() };
    const result = await this.#esbuild!.esbuild.build(createOptions(input, found, defineBindings(bindings)));
    for (const file of [...listInputs(result, directory), ...found.files]) files.add(file);
    const modules = await wrapClassicScript({ script: toModules(result, found), bindings, hasOrigin: false });
    return { modules, warnings: describeWarnings(result.warnings) };
  }

  /** The bundler has ended, or never started: the next build starts another one. */
  async #startAnew(error: Error): Promise<ConfigError> {
    this.#open = undefined;
    await this[Symbol.asyncDispose]();
    return new ConfigError(
      `the bundler has failed (${error.message.split('\n', 1)[0]}); the next build starts it again`,
      { cause: error },
    );
  }

  async #openFor(input: BundleInput): Promise<Open> {
    const key = JSON.stringify(input);
    if (this.#open?.key === key) return this.#open;
    await this.#open?.context.dispose();
    this.#open = undefined;
    this.#esbuild ??= await useEsbuild();
    const found: FoundModules = { modules: new Map(), files: new Set() };
    const context = await this.#esbuild.esbuild.context(createOptions(input, found));
    this.#open = { key, context, found };
    return this.#open;
  }
}

function createOptions(input: BundleInput, found: FoundModules, more: Readonly<Record<string, string>> = {}) {
  const { directory, main, settings, node, mode } = input;
  const { alias, define, rules, preservesFileNames, tsconfig, jsxFactory, jsxFragment } = settings;
  return {
    absWorkingDir: directory,
    entryPoints: [main],
    outfile: resolve(directory, outputName),
    write: false,
    metafile: true,
    bundle: true,
    format: 'esm',
    target: 'es2024',
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    mainFields: ['browser', 'module', 'main'],
    loader: { '.js': 'jsx', '.mjs': 'jsx', '.cjs': 'jsx' },
    // The sources are in their original place; their names and lines are enough for stack traces.
    sourcemap: 'inline',
    sourcesContent: false,
    keepNames: settings.keepsNames,
    minify: settings.minifies,
    alias: { ...alias },
    define: {
      ...globalRewriting.define,
      ...more,
      'process.env.NODE_ENV': JSON.stringify(mode),
      ...define,
    },
    banner: { js: globalRewriting.banner },
    ...(tsconfig === undefined ? {} : { tsconfig }),
    ...(jsxFactory === undefined ? {} : { jsxFactory }),
    ...(jsxFragment === undefined ? {} : { jsxFragment }),
    logLevel: 'silent',
    plugins: [
      readNoWorker,
      keepPlatformImports({ node, aliases: new Set(Object.keys(alias)) }),
      ...(settings.findsModules === true ? [keepFoundModules(settings)] : []),
      collectFileModules({ rules, preservesFileNames }, found),
    ],
  } satisfies BuildOptions;
}

/** Read by this process: in the single executable it is not a file. */
const readNoWorker: Plugin = {
  name: 'no-worker',
  setup(build) {
    const filter = /[\\/]no-worker\.[jt]s$/;
    build.onResolve({ filter }, ({ path }) => (path === noWorker ? { path } : undefined));
    build.onLoad({ filter }, ({ path }) =>
      path === noWorker
        ? { contents: readOwnFile(pathToFileURL(noWorker)).toString(), loader: 'ts' }
        : undefined,
    );
  },
};

/** Files that are separate modules beside the bundle. */
async function findModules(
  { root, main: name }: WorkerModules,
  { main, settings: { baseDirectory, rules } }: BundleInput,
  files: Set<string>,
): Promise<WorkerModules['modules']> {
  const modules = collectModules({ root: baseDirectory, main, rules }, files);
  return (await rewriteGlobals({ root, main: name, modules })).modules;
}

/** Code in a separate module exists once: the bundle imports it instead of containing a copy. */
function keepFoundModules({ baseDirectory: root, rules }: BuildSettings): Plugin {
  const code = rules.filter(({ type }) => type === 'ESModule' || type === 'CommonJS');
  return {
    name: 'found-modules',
    setup(build) {
      build.onResolve({ filter: /^\.\.?\// }, ({ path, kind, resolveDir }) => {
        const file = resolve(resolveDir, path);
        const name = toName(root, file);
        const isFound =
          kind !== 'entry-point' &&
          !name.startsWith('..') &&
          !name.includes('node_modules/') &&
          existsSync(file);
        return isFound && findRule(code, name) !== undefined
          ? { path: `./${name}`, external: true }
          : undefined;
      });
    },
  };
}

function isClassic({ metafile, outputFiles }: BuildResult): boolean {
  const exports = Object.values(metafile!.outputs).flatMap((output) => output.exports);
  return exports.length === 0 && addsListeners(outputFiles![0]!.text);
}

/** Packages change by installation, which requires a restart. */
function listInputs({ metafile }: BuildResult, directory: string): string[] {
  return Object.keys(metafile!.inputs)
    .filter((name) => !name.includes('node_modules/') && !/^[a-z-]{2,}:/.test(name))
    .map((name) => resolve(directory, name))
    .filter((file) => !file.includes(`${sep}node_modules${sep}`));
}

function toModules({ outputFiles }: BuildResult, { modules }: FoundModules): WorkerModules {
  const [output] = outputFiles!;
  return {
    root: dirname(output!.path),
    main: basename(outputName),
    modules: { ...Object.fromEntries(modules), [basename(outputName)]: { type: 'esm', text: output!.text } },
  };
}

/** Problems inside packages are for their authors. */
function describeWarnings(warnings: readonly Message[]): string[] {
  return warnings
    .filter(({ location }) => location?.file.includes('node_modules/') !== true)
    .map((each) => describeMessage(each));
}
