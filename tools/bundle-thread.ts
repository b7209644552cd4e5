/**
 * Bundles the program of a thread for test files (`src/platform/vitest/thread`) into a few files, for the package.
 * Every test file starts with loading it, and Node takes several times as long for six hundred modules as for the same
 * code in ten.
 */
import { build, type Plugin } from 'esbuild';
import { globSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path/posix';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const place = 'src/platform/vitest/thread';
/** Vite loads it for each project. */
const kept = 'setup-file.js';
/** The loader of Workers imports modules beside it by their URLs: the bundle has the same modules beside it. */
const loader = 'src/platform/workers/modules/module-loader.ts';
const besideLoader =
  'src/platform/workers/modules/{cloudflare-email,cloudflare-node,cloudflare-sockets,cloudflare-workers,cloudflare-workflows,module-bytes,node-http,platform-registry}.ts';

/** Replaces the modules of the thread in `dist`, the folder of a built package. */
export async function bundleThread(dist: string): Promise<void> {
  const folder = join(dist, place);
  for (const name of globSync('*.js', { cwd: folder })) if (name !== kept) rmSync(join(folder, name));
  const entries = [`${place}/run-tests.ts`, ...globSync(besideLoader, { cwd: root })];
  await build({
    absWorkingDir: root,
    entryPoints: entries.map((path) => ({ in: path, out: basename(path, '.ts') })),
    outdir: folder,
    chunkNames: 'part-[hash]',
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'esnext',
    plugins: [ownModules],
    logLevel: 'error',
  });
  writeFileSync(
    join(folder, 'main.js'),
    "import { enableCompileCache } from 'node:module';\nenableCompileCache();\nawait import('./run-tests.js');\n",
  );
}

const ownModules: Plugin = {
  name: 'own modules',
  setup({ onLoad, onResolve, resolve }) {
    // None of our modules has side effects on import: unused ones can be omitted.
    onResolve({ filter: /^[.#]/ }, async ({ path, pluginData, ...options }) => {
      if (pluginData === ownModules) return undefined;
      return { ...(await resolve(path, { ...options, pluginData: ownModules })), sideEffects: false };
    });
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return { contents: path === join(root, loader) ? text : keepUrls(text, path), loader: 'ts' };
    });
  },
};

/** Modules start threads and processes from files beside them: those of the package that are not in the bundle. */
function keepUrls(text: string, path: string): string {
  const own = relative(join(root, place), path).replace(/\.ts$/, '.js');
  return text.replaceAll('import.meta.url', `new URL(${JSON.stringify(own)}, import.meta.url).href`);
}
