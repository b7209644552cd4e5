/**
 * Modules that run as they are still see the global object of their Worker, not that of the process: the names of
 * globals are rewritten in each, as the bundler does it in a bundle. Lines stay what they were by source maps.
 */
import { globalRewriting } from '../realm/global-names.ts';
import { useEsbuild } from './esbuild.ts';
import type { WorkerModule, WorkerModules } from './worker-modules.ts';

export async function rewriteGlobals({ modules, ...rest }: WorkerModules): Promise<WorkerModules> {
  await using use = await useEsbuild();
  const rewrite = async (name: string, module: WorkerModule): Promise<WorkerModule> => {
    if (module.type !== 'esm' && module.type !== 'commonjs') return module;
    const options = {
      define: { ...globalRewriting.define },
      // A CommonJS module becomes part of one that imports the global object (`modules/commonjs.ts`).
      ...(module.type === 'esm' ? { banner: globalRewriting.banner } : {}),
      sourcefile: name,
      sourcemap: 'inline',
      sourcesContent: false,
      logLevel: 'silent',
    } as const;
    // What is no JavaScript is for the loader to name, if anybody imports it.
    const code = await use.esbuild.transform(module.text, options).then(
      (result) => result.code,
      () => module.text,
    );
    return { type: module.type, text: code };
  };
  const entries = Object.entries(modules).map(
    async ([name, module]) => [name, await rewrite(name, module)] as const,
  );
  return { ...rest, modules: Object.fromEntries(await Promise.all(entries)) };
}
