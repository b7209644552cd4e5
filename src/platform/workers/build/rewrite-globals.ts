/**
 * Modules that run unbundled also get the global object of their Worker, not that of the process: the names of globals
 * are rewritten in each, as the bundler does in a bundle. Source maps preserve the lines.
 */
import { globalRewriting } from '../realm/global-names.ts';
import type { BuildFailure } from 'esbuild';
import { ConfigError } from '../config/config-error.ts';
import { isBuildFailure } from './build-messages.ts';
import { useEsbuild } from './esbuild.ts';
import type { WorkerModule, WorkerModules } from './worker-modules.ts';

interface RewriteOptions {
  /**
   * Whether a module that is not valid JavaScript is refused, with the place of the error: it was uploaded as
   * JavaScript.
   */
  readonly isStrict?: boolean;
  /** Further names to rewrite, with their replacements. */
  readonly define?: Readonly<Record<string, string>>;
}

export async function rewriteGlobals(
  { modules, ...rest }: WorkerModules,
  { isStrict = false, define = {} }: RewriteOptions = {},
): Promise<WorkerModules> {
  await using use = await useEsbuild();
  const rewrite = async (name: string, module: WorkerModule): Promise<WorkerModule> => {
    if (module.type !== 'esm' && module.type !== 'commonjs') return module;
    const options = {
      define: { ...globalRewriting.define, ...define },
      // A CommonJS module becomes part of one that imports the global object (`modules/commonjs.ts`).
      ...(module.type === 'esm' ? { banner: globalRewriting.banner } : {}),
      sourcefile: name,
      sourcemap: 'inline',
      sourcesContent: false,
      logLevel: 'silent',
    } as const;
    // If the module is ever imported, the loader reports that it is not JavaScript.
    const code = await use.esbuild.transform(module.text, options).then(
      (result) => result.code,
      (error: unknown) => {
        if (isStrict && isBuildFailure(error)) throw createSyntaxError(error);
        return module.text;
      },
    );
    return { type: module.type, text: code };
  };
  const entries = Object.entries(modules).map(
    async ([name, module]) => [name, await rewrite(name, module)] as const,
  );
  return { ...rest, modules: Object.fromEntries(await Promise.all(entries)) };
}

/** In the format of a V8 error, in which Wrangler finds the place in the sources. */
function createSyntaxError({ errors }: BuildFailure): ConfigError {
  const [{ text, location } = { text: 'it cannot be read', location: null }] = errors;
  const place = location === null ? '' : `\n  at ${location.file}:${location.line}:${location.column + 1}\n`;
  return new ConfigError(`Uncaught SyntaxError: ${text}${place}`);
}
