/**
 * A stopwatch for the first minutes of a newcomer, from nothing to the first event: with the single file in a root
 * directory in which there is nothing else, and from a clone. Every step is timed, with its output and its longest
 * silence.
 *
 *     npm run verify -- stopwatch                     both
 *     npm run verify -- stopwatch --only file      or clone
 *
 * Building the file is not timed: its users do not build it. Entering a root directory needs root; without, the file
 * runs in an empty folder.
 */
import { ok } from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readOptions } from '../../tools/read-options.ts';
import { root } from './packed-project.ts';

const usage = 'npm run verify -- stopwatch [--only file|clone]';
const { only } = readOptions(usage, { only: { type: 'string' } });

/** The project's promises. */
const limits = { file: 60, clone: 180 };
const host = 'shop.example';
const lookMs = 50;

/** Node is part of the tested package, and not taken from here. */
const environment = {
  HOME: tmpdir(),
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  TMPDIR: tmpdir(),
};

/** How a command is run in the tested environment. */
type Enter = (command: readonly string[]) => readonly [file: string, args: readonly string[]];

interface Place {
  readonly enter: Enter;
  readonly cwd: string;
  /** The path of the file that `serve` writes, from its view and from outside. */
  readonly readyInside: string;
  readonly ready: string;
}

class Stopwatch implements AsyncDisposable {
  readonly #title: string;
  readonly #startMs = performance.now();
  readonly #running: ChildProcess[] = [];

  constructor(title: string) {
    this.#title = title;
    console.log(`\n${title}`);
  }

  /** Runs a command to its end, or until the awaited result. */
  async step(
    title: string,
    [file, args]: ReturnType<Enter>,
    { cwd, until }: { readonly cwd: string; readonly until?: () => boolean },
  ): Promise<string> {
    const startMs = performance.now();
    const child = spawn(file, args, {
      cwd,
      env: environment,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#running.push(child);
    const said: string[] = [];
    let stdout = '';
    let lastMs = startMs;
    let silentMs = 0;
    const hear = (): void => {
      const nowMs = performance.now();
      silentMs = Math.max(silentMs, nowMs - lastMs);
      lastMs = nowMs;
    };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      said.push(text);
      hear();
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said.push(text);
      hear();
    });
    const exited = once(child, 'exit');
    if (until === undefined) await exited;
    else while (!until() && child.exitCode === null) await delay(lookMs);
    hear();
    ok(child.exitCode === 0 || (until !== undefined && child.exitCode === null), said.join(''));
    const seconds = (performance.now() - startMs) / 1000;
    const first = said.join('').trim().split('\n')[0]!.slice(0, 100);
    console.log(
      `${seconds.toFixed(1).padStart(7)} s  ${title}  (longest silence ${(silentMs / 1000).toFixed(1)} s; “${first}”)`,
    );
    return stdout;
  }

  /** Whether the promise was kept. */
  end(limit: number): boolean {
    const seconds = (performance.now() - this.#startMs) / 1000;
    const isKept = seconds <= limit;
    const verdict = isKept ? 'within' : 'MORE THAN';
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${this.#title}: ${verdict} ${limit} s`);
    return isKept;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#running.filter(
      ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
    )) {
      const exited = once(child, 'exit');
      process.kill(-child.pid!, 'SIGTERM');
      await exited;
    }
  }
}

/** The same for both: start, protect, attack, look at the event. */
async function reachFirstEvent(
  watch: Stopwatch,
  place: Place,
  { start, gatehouse }: { readonly start: readonly string[]; readonly gatehouse: string },
): Promise<void> {
  const application = createServer((_request, response) => response.end('hello'));
  application.listen(0, '127.0.0.1');
  await once(application, 'listening');
  const origin = `http://127.0.0.1:${(application.address() as AddressInfo).port}`;
  const { enter, cwd, ready, readyInside } = place;
  const ports = ['--port', '0', '--edge-port', '0', '--allow-private-origins', 'true'];
  const serve = [...start, ...ports, '--ready-file', readyInside];
  await watch.step('start', enter(serve), { cwd, until: () => existsSync(ready) });
  const ask = (title: string, ...args: readonly string[]): Promise<string> =>
    watch.step(title, enter([gatehouse, ...args, '--ready-file', readyInside]), { cwd });
  await ask('protect', 'protect', host, '--origin', origin, '--plan', 'pro');
  const { edge } = JSON.parse(readFileSync(ready, 'utf8')) as { readonly edge: string };
  const attack = ['-s', '-o', '/dev/null', '-w', '%{http_code}', '-H', `Host: ${host}`];
  const url = `${edge}/?q=1+union+select+password+from+users`;
  // The edge reads the change within a second, and writes events in batches.
  let status = '';
  let event = '';
  while (status !== '403') status = execFileSync('curl', [...attack, url], { encoding: 'utf8' });
  while (event.trim() === '')
    event = await ask('look at events', 'events', 'list', host, '--limit', '1', '--json');
  const { id } = JSON.parse(event) as { readonly id: string };
  ok((await ask('explain the first', 'explain', id)).includes('union'));
  application.closeAllConnections();
  application.close();
}

/** Only the file, the libraries of C, `/proc` and `/dev`. */
async function timeFile(): Promise<boolean> {
  if (!existsSync(join(root, 'out/gatehouse')))
    execFileSync('npm', ['run', 'build:executable'], { cwd: root });
  execFileSync(process.execPath, ['tools/build-root.ts'], { cwd: root });
  const container = join(root, 'out/root');
  for (const name of ['proc', 'dev', 'tmp', 'state']) mkdirSync(join(container, name), { recursive: true });
  const canEnter =
    process.getuid?.() === 0 && spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0;
  const script = 'mount -t proc proc "$0/proc"; mount --rbind /dev "$0/dev"; exec chroot "$0" "$@"';
  const enter: Enter = ([name, ...args]) =>
    canEnter
      ? [
          'unshare',
          ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-ec', script, container, name!, ...args],
        ]
      : [join(container, name!), args];
  const state = canEnter ? '/state' : join(container, 'state');
  await using watch = new Stopwatch(
    `The single file, ${canEnter ? 'in a root directory with nothing else' : 'in an empty folder'}`,
  );
  const gatehouse = '/usr/bin/gatehouse';
  const place = {
    enter,
    cwd: container,
    readyInside: `${state}/ready.json`,
    ready: join(container, 'state/ready.json'),
  };
  await reachFirstEvent(watch, place, { start: [gatehouse, 'serve', '--data', `${state}/data`], gatehouse });
  return watch.end(limits.file);
}

async function timeClone(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-stopwatch-'));
  try {
    const clone = join(folder, 'gatehouse');
    const asIs: Enter = ([name, ...args]) => [name!, args];
    await using watch = new Stopwatch(`A clone, on ${availableParallelism()} cores`);
    await watch.step('git clone', ['git', ['clone', '--progress', `file://${root}`, clone]], { cwd: folder });
    await watch.step('npm ci', ['npm', ['ci']], { cwd: clone });
    const ready = join(clone, 'ready.json');
    const place = { enter: asIs, cwd: clone, ready, readyInside: ready };
    await reachFirstEvent(watch, place, {
      start: ['npm', 'start', '--'],
      gatehouse: join(clone, 'gatehouse'),
    });
    return watch.end(limits.clone);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const kept = [only === 'clone' || (await timeFile()), only === 'file' || (await timeClone())];
process.exit(kept.every(Boolean) ? 0 : 1);
