/** Commands whose output is read by a program that exits early, as `head` does. */
import { deepEqual, doesNotMatch, equal } from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually } from '../eventually.ts';

const main = fileURLToPath(new URL('../../src/program/cli/main.ts', import.meta.url));
const examples = fileURLToPath(new URL('../../examples', import.meta.url));
/** The exit status of a program killed by SIGPIPE, as a shell shows it. */
const unread = 141;

interface Started {
  readonly process: ChildProcess;
  readonly ended: Promise<number | null>;
  /** Its output on the stream that is read. */
  said: string;
}

function start(t: TestContext, unreadStream: 'stdout' | 'stderr', ...args: string[]): Started {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-reader-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const child = spawn(process.execPath, [main, ...args], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const started: Started = { process: child, ended, said: '' };
  const other = unreadStream === 'stdout' ? child.stderr : child.stdout;
  other.setEncoding('utf8').on('data', (text: string) => (started.said += text));
  return started;
}

test('gatehouse ends silently when nobody reads what it prints', async (t) => {
  for (const [stream, ...args] of [
    ['stdout', 'help'],
    ['stderr', 'no-such-command'],
    ['stderr', 'zones', 'list', '--api', 'http://127.0.0.1:1/client/v4', '--token', 't'],
  ] as const) {
    const started = start(t, stream, ...args);
    started.process[stream]!.destroy();
    deepEqual([await started.ended, started.said], [unread, ''], args.join(' '));
  }
});

test('gatehouse says that its output cannot be written', async (t) => {
  const full = openSync('/dev/full', 'w');
  t.after(() => closeSync(full));
  const child = spawn(process.execPath, [main, 'help'], { stdio: ['ignore', full, 'pipe'] });
  const exited = once(child, 'exit');
  const said = (await child.stderr!.setEncoding('utf8').toArray()).join('');
  equal(said, 'gatehouse: could not write the output: ENOSPC: no space left on device, write\n');
  deepEqual(await exited, [1, null]);
});

test('gatehouse dev stops in good order when nobody reads what it prints', async (t) => {
  const started = start(t, 'stderr', 'dev', examples, '--port', '0', '--persist-to', 'objects');
  started.process.stderr!.destroy();
  equal(await started.ended, unread, started.said);
  doesNotMatch(started.said, /\n {4}at /);
});

for (const watchdog of ['true', 'false'])
  test(`gatehouse serve goes on when nobody reads what it prints, with --watchdog ${watchdog}`, async (t) => {
    const file = join(mkdtempSync(join(tmpdir(), 'gatehouse-reader-')), 'ready.json');
    t.after(() => rmSync(dirname(file), { recursive: true, force: true }));
    const args = ['--port', '0', '--edge-port', '0', '--edge-workers', '0', '--ready-file', file];
    const started = start(t, 'stdout', 'serve', ...args, '--watchdog', watchdog);
    started.process.stdout!.destroy();
    started.process.stderr!.destroy();
    await eventually(() => existsSync(file), 'it is ready');
    const { api, token } = JSON.parse(readFileSync(file, 'utf8')) as { api: string; token: string };
    const { status } = await fetch(`${api}/zones`, { headers: { authorization: `Bearer ${token}` } });
    equal(status, 200);
    started.process.kill('SIGTERM');
    equal(await started.ended, 0);
  });
