/**
 * Builds the room `page` into `dist/dashboard`: scripts and styles, each also compressed, and the document with a place
 * for the nonce of its policy. `npm start` builds it when its sources have changed; the package contains the built
 * page.
 *
 *     node tools/build-dashboard.ts              builds
 *     node tools/build-dashboard.ts --if-stale   builds unless the sources are those of the last build
 */
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import type { BuildEnvironmentOptions } from 'vite';
import { pageFolder } from '#page';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = fileURLToPath(pageFolder);
/** The only room that is bundled; of others the page only uses types. */
const client = join(root, 'src/api/client');
const target = join(root, 'dist/dashboard');
const stampFile = 'sources.sha256';
/**
 * The best quality makes files 8 % smaller but takes as long as the rest of the build: only the files of every visit
 * get it.
 */
const qualities = { first: 11, later: 6 } as const;

/** Covers the versions of the bundled libraries. The same in every copy of the sources. */
function stampSources(): string {
  const files = [page, client].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
  );
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).toSorted();
  const parts = [...paths, `${client}.ts`, join(root, 'package-lock.json'), fileURLToPath(import.meta.url)];
  const texts = parts.map((path) => `${relative(root, path)}\n${readFileSync(path, 'latin1')}`);
  return hash('sha256', texts.join('\n'), 'hex');
}

const rolldownOptions: NonNullable<BuildEnvironmentOptions['rolldownOptions']> = {
  onwarn(warning, warn) {
    // Libraries mark client code with "use client"; this page has no server code.
    if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
  },
};

interface BuildOptions {
  /** Only builds if the sources have changed since the last build. */
  readonly ifStale: boolean;
  readonly onStart?: () => void;
}

/** Returns whether a build was necessary. */
export async function buildDashboard({ ifStale, onStart }: BuildOptions): Promise<boolean> {
  const stamp = stampSources();
  if (ifStale && readStamp() === stamp) return false;
  onStart?.();
  const { build } = await import('vite');
  // Built beside the target, then swapped: a program that starts meanwhile sees the old page or the new one.
  const fresh = `${target}-${process.pid}`;
  await build({
    configFile: false,
    root: page,
    logLevel: 'warn',
    html: { cspNonce: '__CSP_NONCE__' },
    build: {
      outDir: fresh,
      emptyOutDir: true,
      target: 'es2024',
      sourcemap: false,
      modulePreload: { polyfill: false },
      rolldownOptions,
    },
  });
  const assets = join(fresh, 'assets');
  const document = readFileSync(join(fresh, 'index.html'), 'utf8');
  for (const name of readdirSync(assets)) {
    const quality = qualities[document.includes(`/assets/${name}"`) ? 'first' : 'later'];
    const compressed = brotliCompressSync(readFileSync(join(assets, name)), {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality },
    });
    writeFileSync(join(assets, `${name}.br`), compressed);
  }
  writeFileSync(join(fresh, stampFile), stamp);
  // Another process that has built the same meanwhile may be reading it.
  if (ifStale && readStamp() === stamp) rmSync(fresh, { recursive: true });
  else swapIn(fresh, stamp);
  return true;
}

/**
 * Two concurrent builds end with one of the two: they are equal, or of sources that changed meanwhile. The old folder
 * is renamed as a whole, because a folder that is deleted file by file may meanwhile belong to another process.
 */
function swapIn(fresh: string, stamp: string, triesLeft = 20): void {
  const old = `${fresh}-old-${triesLeft}`;
  try {
    if (existsSync(target)) renameSync(target, old);
    renameSync(fresh, target);
  } catch (error) {
    if (readStamp() === stamp) rmSync(fresh, { recursive: true });
    else if (triesLeft > 0) swapIn(fresh, stamp, triesLeft - 1);
    else throw error;
  } finally {
    rmSync(old, { recursive: true, force: true });
  }
}

function readStamp(): string | undefined {
  const path = join(target, stampFile);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

if (import.meta.main) {
  const ifStale = process.argv.includes('--if-stale');
  const say = (text: string): void => void process.stderr.write(text);
  // The reader may stop: `npm start | head` continues.
  process.stderr.on('error', () => {});
  const startMs = performance.now();
  try {
    const isBuilt = await buildDashboard({
      ifStale,
      onStart: () => say('Building the dashboard; this takes some seconds, once for each version … '),
    });
    if (isBuilt) say(`done in ${((performance.now() - startMs) / 1000).toFixed(1)} s.\n`);
  } catch (error) {
    if (!ifStale || (error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    // The server runs without it, and reports that.
    say('not possible without the development packages: install them with npm ci.\n');
  }
}
