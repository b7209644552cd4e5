/**
 * Public classes of objects, as published on npm and with one line changed: the simulator finds the change, and no bug
 * in the published class. Run by `npm run verify -- simulate:planted`, some with `npm run verify -- simulate:planted
 * NAME …`; `--own` takes those that need no package, `--seeds N` says how many lives have to find nothing, `--markdown
 * FILE` writes the table and the stories of the documentation.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build, type Plugin } from 'esbuild';
import { type Planted, samples } from './planted/samples.ts';

interface Result {
  readonly ok: boolean;
  readonly report?: { readonly lives: number; readonly told: readonly string[] };
  readonly failure?: { readonly seed: number; readonly message: string };
}

interface Found {
  readonly name: string;
  readonly sample: Planted;
  readonly published: Result;
  readonly changed: Result;
}

const { values, positionals } = parseArgs({
  options: {
    seeds: { type: 'string', default: '300' },
    own: { type: 'boolean', default: false },
    markdown: { type: 'string' },
  },
  allowPositionals: true,
});
/** Of each story in the documentation. */
const storyLinesMax = 12;
const root = join(import.meta.dirname, '..');
const directory = mkdtempSync(join(tmpdir(), 'gatehouse-planted-'));
const names = Object.entries(samples)
  .filter(([name]) => positionals.length === 0 || positionals.includes(name))
  .filter(([, sample]) => !values.own || sample.package === undefined)
  .map(([name]) => name);
const results: Found[] = [];
let isBroken = false;

try {
  const left = [...names];
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      for (let name = left.shift(); name !== undefined; name = left.shift()) {
        try {
          results.push(await tryOne(name));
        } catch (error) {
          console.error(`✗ ${name}: ${(error as Error).message}`);
          isBroken = true;
        }
      }
    }),
  );
} finally {
  rmSync(directory, { recursive: true, force: true });
}
results.sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
if (values.markdown !== undefined) writeFileSync(values.markdown, formatMarkdown(results));
const wrong = results.filter(({ published, changed }) => !isRight(published, changed));
console.log(
  `${results.length - wrong.length} of ${results.length} classes: the changed line is found, and nothing without it`,
);
process.exitCode = !isBroken && wrong.length === 0 && results.length > 0 ? 0 : 1;

async function tryOne(name: string): Promise<Found> {
  const sample = samples[name]!;
  const published = await live(name, sample, undefined);
  const changed = await live(name, sample, sample.change);
  const mark = isRight(published, changed) ? '✓' : '✗';
  const before = published.failure?.message.split('\n')[0] ?? `nothing in ${published.report?.lives} lives`;
  const after = changed.failure === undefined ? 'nothing' : changed.failure.message.split('\n')[0];
  const notes = (published.report?.told ?? []).map((each) => `\n    note:      ${each}`).join('');
  console.log(`${mark} ${name}\n    published: ${before}\n    changed:   ${after}${notes}`);
  return { name, sample, published, changed };
}

function isRight(published: Result, changed: Result): boolean {
  return (
    published.failure === undefined && published.report!.told.length === 0 && changed.failure !== undefined
  );
}

/** Runs the story of a class with the public command. */
async function live(name: string, sample: Planted, change: Planted['change'] | undefined): Promise<Result> {
  const file = join(directory, `${name}-${change === undefined ? 'published' : 'changed'}.mjs`);
  let changes = 0;
  const plant: Plugin = {
    name: 'plant',
    setup: ({ onLoad }) =>
      void onLoad({ filter: sample.file }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        if (change === undefined) return { contents: text, loader: 'default' };
        const at = text.indexOf(change.from, text.indexOf(change.after ?? ''));
        if (at === -1) throw new Error(`${path} does not say ${change.from}`);
        if (change.after === undefined && text.includes(change.from, at + 1))
          throw new Error(`${path} says ${change.from} more than once: after what?`);
        changes++;
        return {
          contents: text.slice(0, at) + change.to + text.slice(at + change.from.length),
          loader: 'default',
        };
      }),
  };
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'planted', `${name}.ts`)],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    mainFields: ['browser', 'module', 'main'],
    external: ['cloudflare:*', 'gatehouse/testing'],
    define: {
      'process.env.__OPEN_NEXT_BUILD_ID': '"build"',
      'process.env.__NEXT_PREVIEW_MODE_ID': '"preview"',
    },
    keepNames: true,
    logLevel: 'silent',
    plugins: [plant],
  });
  if (change !== undefined && changes === 0)
    throw new Error(`${name}: nothing was changed, ${sample.file} is not loaded`);
  writeFileSync(file, outputFiles[0]!.text);
  return await new Promise((resolve, reject) => {
    const args = [join(root, 'src/program/cli/main.ts'), 'simulate', file, '--seeds', values.seeds, '--json'];
    execFile(process.execPath, args, { maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      try {
        resolve((JSON.parse(stdout) as Result[])[0]!);
      } catch {
        reject(new Error(`${name}: ${stderr || error?.message}`));
      }
    });
  });
}

function formatMarkdown(found: readonly Found[]): string {
  const rows = found.map(({ name, sample, published, changed }) =>
    row([
      `\`${sample.class}\``,
      sample.package === undefined ? 'ours, after a public sample' : sample.package,
      `\`${shortenCode(sample.change.from)}\` → \`${shortenCode(sample.change.to)}\`: ${sample.mistake}`,
      `nothing in ${published.report?.lives ?? 0} lives`,
      `[seed ${changed.failure?.seed}](#${name})`,
    ]),
  );
  const stories = found.map(({ name, changed }) => formatStory(name, changed.failure!));
  return [
    row(['class', 'of', 'the line that is changed', 'as published', 'changed']),
    row(['---', '---', '---', '---', '---']),
    ...rows,
  ]
    .join('\n')
    .concat('\n\n## The stories\n\n', stories.join('\n'));
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function shortenCode(code: string): string {
  return code.length > 60 ? `${code.slice(0, 57)}…` : code;
}

/** The end of a story, which shows the failure. */
function formatStory(name: string, { message }: NonNullable<Result['failure']>): string {
  const [head = '', ...lines] = message.split('\n');
  const moments = lines.filter((line) => /^ *\d+ ms  /.test(line));
  const shown = moments
    .slice(-storyLinesMax)
    .map((line) => (line.length > 140 ? `${line.slice(0, 139)}…` : line));
  const left = moments.length - shown.length;
  const before = left > 0 ? [`… ${left} moments before`] : [];
  return ['### '.concat(name), '', '```', head, ...before, ...shown, '```', ''].join('\n');
}
