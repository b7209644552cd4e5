/** Commands whose output is read by a program that ends first, as `head` does. */
import { deepEqual, doesNotMatch, equal } from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const examples = fileURLToPath(new URL('../../examples', import.meta.url));
/** Of a program that SIGPIPE has ended, as a shell shows it. */
const unread = 141;

interface Started {
  readonly process: ChildProcess;
  readonly ended: Promise<number | null>;
  /** What it said on the stream that is read. */
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

for (const [name, stream, ...args] of [
  ['gatehouse serve', 'stdout', 'serve', '--port', '0', '--edge-workers', '0'],
  ['gatehouse serve without a watchdog', 'stdout', 'serve', '--port', '0', '--watchdog', 'false'],
  ['gatehouse dev', 'stderr', 'dev', examples, '--port', '0', '--persist-to', 'objects'],
] as const)
  test(`${name} stops in good order when nobody reads what it prints`, async (t) => {
    const started = start(t, stream, ...args);
    started.process[stream]!.destroy();
    equal(await started.ended, unread, started.said);
    doesNotMatch(started.said, /\n {4}at /);
  });
