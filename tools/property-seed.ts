/**
 * Loaded before every test file: gives those that import `fast-check` the one of `seeded-fast-check.ts`. Only they pay
 * for loading it.
 */
import { registerHooks } from 'node:module';

const seeded = new URL('./seeded-fast-check.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === 'fast-check' && context.parentURL !== seeded
      ? { url: seeded, shortCircuit: true }
      : nextResolve(specifier, context),
});
