/**
 * Sends every program the same requests under `wrangler dev` and under `gatehouse dev`, and compares the responses:
 *
 *     npm run verify -- projects:compare
 *     npm run verify -- projects:compare hono        # programs whose name contains this
 *
 * A difference that `differences.ts` does not explain fails the run, and so does a listed one that no longer occurs.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { closeBrowser } from './browser.ts';
import { explainedDifferences } from './differences.ts';
import { programs, type Program } from './programs.ts';
import { type Answer, ask, type Question } from './questions.ts';

const here = import.meta.dirname;
const startMsMax = 120_000;

interface Side {
  readonly url: string;
  end(): Promise<void>;
}

/** A process of its own group, so that what it has started ends with it. */
async function start(command: string, args: readonly string[], folder: string, ready: RegExp): Promise<Side> {
  const child = spawn(command, args, {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', WRANGLER_SEND_METRICS: 'false', CI: '1' },
  });
  const { promise, resolve: resolveUrl, reject } = Promise.withResolvers<string>();
  let said = '';
  const take = (data: Buffer): void => {
    said += data.toString();
    const url = ready.exec(said)?.[1];
    if (url !== undefined) resolveUrl(url);
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  child.once('exit', (code) => reject(new Error(`it ended with ${code} before it was ready:\n${said}`)));
  const timer = setTimeout(() => reject(new Error(`it was not ready in time:\n${said}`)), startMsMax);
  try {
    return { url: await promise, end: () => end(child) };
  } catch (error) {
    await end(child);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  process.kill(-child.pid!, 'SIGTERM');
  const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), 10_000);
  await exit;
  clearTimeout(timer);
}

/** The address of this machine only; any free port. */
function startWrangler({ path, isModule }: Program, state: string): Promise<Side> {
  const module = isModule ? [path, '--name', 'program', '--compatibility-date', '2026-11-01'] : [];
  const flags = isModule ? ['--compatibility-flags', 'nodejs_compat'] : [];
  const wrangler = join(here, 'node_modules', 'wrangler', 'bin', 'wrangler.js');
  const args = [
    wrangler,
    'dev',
    ...module,
    ...flags,
    '--ip',
    '127.0.0.1',
    '--port',
    '0',
    '--inspector-port',
    '0',
  ];
  const folder = isModule ? here : path;
  return start(
    process.execPath,
    [...args, '--persist-to', state],
    folder,
    /Ready on (http:\/\/127\.0\.0\.1:\d+)/,
  );
}

function startGatehouse({ path }: Program, state: string): Promise<Side> {
  const args = ['dev', path, '--port', '0', '--persist-to', state, '--no-watch', '--dashboard-port', 'off'];
  return start(resolve(here, '../gatehouse'), args, here, /ready on (http:\/\/127\.0\.0\.1:\d+)/);
}

/** Ids and times are new in each life. */
function mask(text: string): string {
  return (
    text
      .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, '<uuid>')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>')
      .replaceAll(/\b1[6-9]\d{11}\b/g, '<time>')
      // Next writes what it streams in as many pieces as are ready one after the other.
      .replaceAll('"])</script><script>self.__next_f.push([1,"', '')
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '<url>')
  );
}

function describe({ status, type, location, text }: Answer): string {
  const head = [status, type, location].filter((part) => part !== null).join(' ');
  return `${head}: ${mask(text)}`;
}

async function answer(side: Side, question: Question): Promise<string> {
  return await ask(side.url, question).then(describe, (error: Error) => `failed: ${error.message}`);
}

interface Difference {
  readonly question: string;
  readonly wrangler: string;
  readonly gatehouse: string;
}

function nameOf({ path, isOpened = false }: Question): string {
  return isOpened ? `${path} in a browser` : path;
}

async function compare(program: Program): Promise<Difference[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-compare-'));
  const sides: Side[] = [];
  try {
    program.prepare?.();
    for (const [name, begin] of [
      ['wrangler', startWrangler],
      ['gatehouse', startGatehouse],
    ] as const)
      sides.push(await begin(program, join(folder, name)));
    const differences: Difference[] = [];
    for (const question of program.questions) {
      const [wrangler, gatehouse] = await Promise.all(sides.map((side) => answer(side, question)));
      if (wrangler !== gatehouse)
        differences.push({ question: nameOf(question), wrangler: wrangler!, gatehouse: gatehouse! });
    }
    return differences;
  } finally {
    await Promise.all(sides.map((side) => side.end()));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The first difference of two texts, with some text before it. */
function findDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at < 200 ? 0 : at - 60;
}

const [filter = ''] = process.argv.slice(2);
const chosen = programs.filter(({ name }) => name.includes(filter));
let [questions, same, explained, wrong] = [0, 0, 0, 0];
for (const program of chosen) {
  const { name } = program;
  questions += program.questions.length;
  const seen = new Set<string>();
  const listed = new Map(Object.entries(explainedDifferences[name] ?? {}));
  const found = await compare(program).catch((error: Error) => {
    wrong++;
    console.log(`✖ ${name}: ${error.message}`);
    return undefined;
  });
  if (found === undefined) continue;
  same += program.questions.length - found.length;
  for (const { question, wrangler, gatehouse } of found) {
    const why = listed.get(question);
    if (why !== undefined) seen.add(question);
    if (why === undefined) wrong++;
    else explained++;
    console.log(`${why === undefined ? '✖' : '≠'} ${name} ${question}${why === undefined ? '' : `: ${why}`}`);
    const from = findDifference(wrangler, gatehouse);
    for (const [side, answer] of Object.entries({ wrangler, gatehouse }))
      console.log(`    ${side.padEnd(10)} ${from === 0 ? '' : '… '}${answer.slice(from, from + 300)}`);
  }
  for (const question of listed.keys()) {
    if (seen.has(question)) continue;
    wrong++;
    console.log(`✖ ${name} ${question}: the difference that is listed is gone`);
  }
  if (found.length === 0) console.log(`✔ ${name}`);
}
await closeBrowser();
console.log(
  `${questions} questions to ${chosen.length} programs: ${same} answers the same, ${explained} different as explained, ${wrong} wrong`,
);
process.exitCode = wrong === 0 ? 0 : 1;
