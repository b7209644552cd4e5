/**
 * Builds the single executable: the Node that this repository pins, with the sources, the packages that they import,
 * the page and the bundler inside. It needs only the C library and those of the compiler.
 *
 *     node tools/build-executable.ts            writes out/gatehouse
 */
import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import type { ExecutableIndex } from '../package/executable.ts';
import { buildDashboard } from './build-dashboard.ts';
import { entries, packageDoors } from './entries.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The built file, and the licences of its contents. */
export const executable = join(root, 'out/gatehouse');
export const notices = join(root, 'out/licences.txt');

interface Program {
  /** Paths of files, relative to the repository. */
  readonly files: readonly string[];
  readonly index: ExecutableIndex;
}

/** Everything that the entries import, directly or indirectly, with the target of each import. */
async function traceProgram(): Promise<Program> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...entries.map(({ file }) => file), ...packageDoors].filter(
      (path) => path !== 'package/executable.ts',
    ),
    // It is required by name, which the bundler does not detect.
    stdin: {
      contents: "require('ws')",
      resolveDir: root,
      sourcefile: 'src/runtime/sockets/network/framing.ts',
    },
    outdir: 'unused',
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    preserveSymlinks: true,
    external: ['pg-native'],
    logLevel: 'error',
  });
  const files = new Set<string>();
  const commonJs = new Set<string>();
  const imports: Record<string, Record<string, string>> = {};
  for (const [path, input] of Object.entries(metafile.inputs)) {
    const name = path.replace(/^<stdin>$/, 'src/runtime/sockets/network/framing.ts');
    for (const each of listPart(name, input.format === 'cjs')) {
      files.add(each);
      if (input.format === 'cjs') commonJs.add(each);
    }
    for (const { path: target, original, external } of input.imports) {
      if (external === true || original === undefined) continue;
      if (join(dirname(name), original) !== target) (imports[name] ??= {})[original] = target;
    }
  }
  for (const path of commonJs) addRequires(path, commonJs, (imports[path] ??= {}));
  return { files: [...files], index: { commonJs: [...commonJs, 'import.cjs'], imports } };
}

/**
 * A file, or for a CommonJS package all files beside it: they may be required in ways that the bundler does not detect.
 */
function listPart(path: string, isCommonJs: boolean): readonly string[] {
  if (!isCommonJs || !path.startsWith('node_modules/')) return [path];
  return globSync(`${dirname(path)}/**/*${extname(path)}`, { cwd: root });
}

/** The targets of relative requires without an extension. */
function addRequires(path: string, known: ReadonlySet<string>, imports: Record<string, string>): void {
  const text = readFileSync(join(root, path), 'utf8');
  for (const [, name] of text.matchAll(/\brequire\(["'](\.[^"']*)["']\)/g)) {
    const plain = join(dirname(path), name!);
    const target = [`${plain}.js`, join(plain, 'index.js')].find((each) => known.has(each));
    if (target !== undefined) imports[name!] ??= target;
  }
}

/** The licences of Node and of the packages whose files are included. */
function writeNotices(files: readonly string[]): string {
  const folders = files.map((path) => /^(node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  const node = `node_modules/node/node_modules/node-${process.platform}-${process.arch}`;
  const parts = [...new Set([node, ...folders])].filter((folder) => folder !== undefined).toSorted();
  return parts
    .flatMap((folder) => globSync(`${folder}/{LICENSE,LICENCE}*`, { cwd: root }).slice(0, 1))
    .map((path) => `---- ${dirname(path)}\n\n${readFileSync(join(root, path), 'utf8')}\n`)
    .join('\n');
}

export async function buildExecutable(): Promise<void> {
  await buildDashboard({ ifStale: true });
  const work = mkdtempSync(join(tmpdir(), 'gatehouse-executable-'));
  try {
    const { files, index } = await traceProgram();
    const assets: Record<string, string> = { 'package.json': join(root, 'package.json') };
    const add = (key: string, text: string): void => {
      const file = join(work, key);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      assets[key] = file;
    };
    for (const path of files) {
      if (!path.endsWith('.ts')) assets[path] = join(root, path);
      // Lines and columns are those of the sources.
      else add(path, stripTypeScriptTypes(readFileSync(join(root, path), 'utf8')));
    }
    for (const path of globSync('dist/dashboard/{index.html,assets/*}', { cwd: root }))
      assets[path] = join(root, path);
    assets['esbuild'] = createRequire(import.meta.url).resolve(
      `@esbuild/${process.platform}-${process.arch}/bin/esbuild`,
    );
    add('index.json', JSON.stringify(index));
    add('import.cjs', 'module.exports = (url) => import(url);');
    const { outputFiles } = await build({
      entryPoints: [join(root, 'package/executable.ts')],
      bundle: true,
      write: false,
      platform: 'node',
      format: 'cjs',
    });
    add('executable.cjs', outputFiles[0]!.text);
    writeFileSync(
      join(work, 'sea.json'),
      JSON.stringify({
        main: join(work, 'executable.cjs'),
        output: executable,
        disableExperimentalSEAWarning: true,
        execArgvExtension: 'cli',
        assets,
      }),
    );
    mkdirSync(dirname(executable), { recursive: true });
    writeFileSync(notices, writeNotices(files));
    execFileSync(process.execPath, ['--build-sea', join(work, 'sea.json')], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } finally {
    rmSync(work, { recursive: true });
  }
}

if (import.meta.main) {
  process.stderr.write('Building the executable; this takes some seconds … ');
  const startMs = performance.now();
  await buildExecutable();
  process.stderr.write(`${executable}, done in ${((performance.now() - startMs) / 1000).toFixed(1)} s.\n`);
}
