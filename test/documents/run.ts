/**
 * `npm run verify -- documents`: every block of every page, as printed, in a fresh folder and with the real program.
 * Each page has its own network, so that the ports are those of the page.
 *
 *     npm run verify -- documents [--only TEXT]
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildDashboard } from '../../tools/build-dashboard.ts';
import { readOptions } from '../../tools/read-options.ts';
import { followBlocks } from './follow-blocks.ts';
import { needs } from './needs.ts';
import { type PageBlocks, pages, readBlocks, root } from './read-blocks.ts';

const pagesAtOnce = 2;
/** A block may wait for something that never happens. */
const pageMsMax = 300_000;

/** A network in which nothing listens yet, and processes that all end with the shell. */
const launcher = [
  ...['unshare', '--map-root-user', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'],
  ...['sh', '-c', 'ip link set lo up && exec "$@"', 'sh'],
];

/** Pages that say "in a clone". */
const inClone = new Set([
  'README.md',
  'docs/build/objects.md',
  'docs/operate/operators.md',
  'docs/start/installation.md',
]);

const interrupted = new AbortController();

interface Attempt {
  readonly page: string;
  readonly blocks: PageBlocks;
  readonly run: PageBlocks['commands'];
  /** Empty if all blocks behaved as the page says. */
  readonly failure: string | undefined;
}

/** With `gatehouse` in it; a clone has what git has, but for what its commands write into. */
function makeFolder(page: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-page-'));
  const names = inClone.has(page) ? readdirSync(root) : ['gatehouse'];
  for (const name of names) {
    const [from, to] = [join(root, name), join(directory, name)];
    if (name === 'examples') cpSync(from, to, { recursive: true });
    else if (!/^(?:data|dist|out|\.git|\.gatehouse|ready\.json|.*\.log)$/.test(name)) symlinkSync(from, to);
  }
  return directory;
}

async function attempt(page: string): Promise<Attempt> {
  const blocks = readBlocks(page);
  const reasons = needs.filter((need) => need.page === page);
  const run = blocks.commands
    .filter(({ commands }) => !reasons.some(({ begins }) => commands.startsWith(begins)))
    // The packages of the clone are there.
    .map((block) => ({ ...block, commands: block.commands.replaceAll(/^npm ci$/gm, '') }));
  const directory = makeFolder(page);
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-home-'));
  try {
    const signal = AbortSignal.any([AbortSignal.timeout(pageMsMax), interrupted.signal]);
    if (run.length > 0)
      await followBlocks({ directory, home, launcher, signal }, { commands: run, files: blocks.files });
    return { page, blocks, run, failure: undefined };
  } catch (error) {
    return { page, blocks, run, failure: (error as Error).message };
  } finally {
    for (const folder of [directory, home]) rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  }
}

function printTable(attempts: readonly Attempt[]): void {
  console.log(
    '\n| page | blocks of commands | run | with their output | shown only |\n|---|---|---|---|---|',
  );
  const rows = attempts.map(({ page, blocks, run }) => [
    page,
    blocks.commands.length,
    run.length,
    run.filter(({ output }) => output !== undefined).length,
    blocks.shown,
  ]);
  const sum = (column: number): number => rows.reduce((total, row) => total + Number(row[column]), 0);
  for (const row of [...rows, ['all', sum(1), sum(2), sum(3), sum(4)]]) console.log(`| ${row.join(' | ')} |`);
  console.log('\n| what blocks need that are not run | blocks |\n|---|---|');
  for (const [need, blocks] of Map.groupBy(
    needs.filter(({ page }) => attempts.some((one) => one.page === page)),
    ({ needs }) => needs,
  ))
    console.log(`| ${need} | ${blocks.length} |`);
}

const { only = '' } = readOptions('npm run verify -- documents [--only TEXT]', { only: { type: 'string' } });
const { status } = spawnSync(launcher[0]!, [...launcher.slice(1), 'true'], { stdio: 'inherit' });
if (status !== 0)
  throw new Error('each page gets a network of its own, which takes `unshare` of Linux, and `ip`');
await buildDashboard({ ifStale: true });
const waiting = pages.filter((page) => page.includes(only) && readBlocks(page).commands.length > 0);
const attempts: Attempt[] = [];
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    waiting.length = 0;
    interrupted.abort();
  });
async function attemptAll(): Promise<void> {
  for (let page = waiting.shift(); page !== undefined; page = waiting.shift()) {
    const attempted = await attempt(page);
    attempts.push(attempted);
    const { failure, run, blocks } = attempted;
    const outcome = failure === undefined ? 'as printed' : 'FAILS     ';
    console.log(`${outcome} ${page}, ${run.length} of ${blocks.commands.length} blocks`);
    if (failure !== undefined) console.log(failure.replaceAll(/^/gm, '    '));
  }
}
await Promise.all(Array.from({ length: pagesAtOnce }, attemptAll));
printTable(attempts.toSorted((one, other) => pages.indexOf(one.page) - pages.indexOf(other.page)));
if (attempts.some(({ failure }) => failure !== undefined)) process.exitCode = 1;
