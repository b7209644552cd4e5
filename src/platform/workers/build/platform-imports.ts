/**
 * Imports that stay imports: the modules of the platform, and those of Node that the compatibility date allows. A
 * CommonJS package gets them through a module that imports them, because the bundle has no `require`.
 */
import type { OnResolveArgs, OnResolveResult, Plugin } from 'esbuild';
import { isBuiltin } from 'node:module';
import type { NodeCompatibility } from '../config/compatibility.ts';

export interface PlatformImportsOptions {
  readonly node: NodeCompatibility;
  /** Names that the project resolves itself. */
  readonly aliases: ReadonlySet<string>;
}

const required = 'gatehouse-required';
const hint = 'add "nodejs_compat" to compatibility_flags';

export function keepPlatformImports({ node, aliases }: PlatformImportsOptions): Plugin {
  return {
    name: 'platform-imports',
    setup(build) {
      build.onResolve({ filter: /^(?:cloudflare|gatehouse|node|workerd):/ }, (args) => {
        if (aliases.has(args.path)) return undefined;
        const kept = keep(args.path, args);
        return args.path.startsWith('node:') && !isAllowed(args.path, node)
          ? { ...kept, warnings: [{ text: `${args.path} does not exist on Cloudflare: ${hint}` }] }
          : kept;
      });
      build.onResolve({ filter: /^[a-z_][a-z0-9_/]*$/ }, (args) => {
        if (!isBuiltin(args.path) || aliases.has(args.path) || args.kind === 'entry-point') return undefined;
        return node === 'v2' ? keep(`node:${args.path}`, args) : undefined;
      });
      build.onLoad({ filter: /.*/, namespace: required }, ({ path }) => ({
        contents: `import * as all from ${JSON.stringify(path)};\nmodule.exports = all.default ?? all;`,
        loader: 'js',
      }));
    },
  };
}

/** The message about a name that was not found. */
export function explainMissing(text: string, node: NodeCompatibility): string | undefined {
  const name = /^Could not resolve "([^"]+)"$/.exec(text)?.[1];
  if (name === undefined || !isBuiltin(name) || node === 'v2') return undefined;
  return `it is a module of Node: ${hint}, with a compatibility_date of 2024-09-23 or later`;
}

function isAllowed(name: string, node: NodeCompatibility): boolean {
  if (node === 'als') return name === 'node:async_hooks';
  return node !== 'off';
}

function keep(path: string, { kind, namespace }: OnResolveArgs): OnResolveResult {
  const isRequired = (kind === 'require-call' || kind === 'require-resolve') && namespace !== required;
  return isRequired ? { path, namespace: required } : { path, external: true };
}
