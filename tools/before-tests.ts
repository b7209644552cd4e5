/**
 * Loaded before every test file. Keeps compiled sources between the processes of a run, which halves the cost of a
 * short test file, and replaces `fast-check` by `seeded-fast-check.ts`. The scripts of package.json also set the cache,
 * because this file is compiled before it runs.
 */
import { enableCompileCache, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import './quick-imports.ts';

/** Also in the environment, for programs that tests start. */
const compiled = fileURLToPath(new URL('../node_modules/.cache/gatehouse', import.meta.url));
process.env['NODE_COMPILE_CACHE'] = compiled;
const quick = `--import=${new URL('./quick-imports.ts', import.meta.url).href}`;
process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} ${quick}`.trim();
enableCompileCache(compiled);

const seeded = new URL('./seeded-fast-check.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === 'fast-check' && context.parentURL !== seeded
      ? { url: seeded, shortCircuit: true }
      : nextResolve(specifier, context),
});
