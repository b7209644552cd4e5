/** Modules that Node loads itself, because a CommonJS package requires them: those of the platform, and WebAssembly. */
import { registerHooks, type ResolveHookSync } from 'node:module';
import { fileURLToPath } from 'node:url';
import { tableExpression } from '../registry.ts';

const scheme = 'gatehouse-vitest:';
/** Endings that packages for bundlers omit in relative imports. */
const endings = ['.js', '.mjs', '/index.js'];

export function installNativeHooks(): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      if (specifier.startsWith('cloudflare:')) return { url: `${scheme}${specifier}`, shortCircuit: true };
      if (/\.wasm(?:\?module)?$/.test(specifier) && specifier.startsWith('.'))
        return { url: new URL(specifier, context.parentURL).href, shortCircuit: true };
      // Vitest passes all conditions of Vite on to Node. Code under `module` is for bundlers: Node cannot load it.
      const conditions = context.conditions.filter((condition) => condition !== 'module');
      return resolveLoosely(specifier, { ...context, conditions }, nextResolve);
    },
    load(url, context, nextLoad) {
      if (url.startsWith(scheme)) {
        const source = `module.exports = ${tableExpression}[${JSON.stringify(url.slice(scheme.length))}];`;
        return { format: 'commonjs', source, shortCircuit: true };
      }
      if (!url.startsWith('file:') || !/\.wasm(?:\?module)?$/.test(url)) return nextLoad(url, context);
      const file = JSON.stringify(fileURLToPath(url.split('?', 1)[0]!));
      const source = `exports.default = new WebAssembly.Module(require("node:fs").readFileSync(${file}));`;
      return { format: 'commonjs', source, shortCircuit: true };
    },
  });
}

type Resolve = ResolveHookSync;

function resolveLoosely(...[specifier, context, nextResolve]: Parameters<Resolve>): ReturnType<Resolve> {
  try {
    return nextResolve(specifier, context);
  } catch (error) {
    if (!specifier.startsWith('.')) throw error;
    for (const ending of endings) {
      try {
        return nextResolve(`${specifier}${ending}`, context);
      } catch {
        // The next candidate may exist; if none does, the first error is the most useful.
      }
    }
    throw error;
  }
}
