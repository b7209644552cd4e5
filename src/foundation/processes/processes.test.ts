import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createLog } from '#base';
import { ChildProcess, type ChildProcessOptions } from './child-process.ts';
import { describeEnd, type EndReason } from './end-reason.ts';
import { Standby } from './standby.ts';
import { SupervisedProcess } from './supervised-process.ts';

const module = new URL('./testdata/child.ts', import.meta.url);
/**
 * A process that is to be killed for its silence must not be killed before it is ready, and on a busy machine starts
 * have pauses. Half of the time in which a process must notice the request to stop, so that the silence is the reason
 * for its end.
 */
const silentForSureMs = 1_500;

class Messages {
  readonly #all: unknown[] = [];
  #waiting: (() => void) | undefined;

  readonly add = (message: unknown): void => {
    this.#all.push(message);
    this.#waiting?.();
  };

  async next(): Promise<unknown> {
    while (this.#all.length === 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting = resolve;
      await promise;
    }
    return this.#all.shift();
  }
}

function collectLog() {
  const entries = new Messages();
  const log = createLog({
    level: 'info',
    format: 'json',
    write: (line) => entries.add(JSON.parse(line)),
  });
  return { log, next: () => entries.next() as Promise<Record<string, any>> };
}

function startChild(t: TestContext, options: Partial<ChildProcessOptions> = {}) {
  const messages = new Messages();
  const { log, next: nextEntry } = collectLog();
  const child = new ChildProcess({
    name: 'test 1',
    module,
    setup: {},
    log,
    onMessage: messages.add,
    // On a busy machine, a process that is only slow must not count as silent.
    silentMs: 120_000,
    ...options,
  });
  t.after(() => child.kill({ kind: 'stopped' }));
  return { child, nextMessage: () => messages.next(), nextEntry };
}

test('ChildProcess is ready when its code says so, answers, and stops when it is asked to', async (t) => {
  const { child, nextMessage } = startChild(t, { heapBytesMax: 100 * 1024 * 1024 });
  const { pid, flags } = (await child.ready) as { pid: number; flags: string[] };
  equal(pid, child.pid);
  equal(flags.includes('--max-old-space-size=100'), true);
  await child.send('echo');
  equal(await nextMessage(), 'echo');
  deepEqual(await child.stop({ graceMs: 10_000 }), { kind: 'stopped' });
  equal(await nextMessage(), 'stopping');
});

test('ChildProcess gets the environment of its parent, but not the settings of the program in it', async (t) => {
  process.env['GATEHOUSE_CLUSTER'] = 'postgres://gatehouse:secret@db.internal/gatehouse';
  t.after(() => delete process.env['GATEHOUSE_CLUSTER']);
  const { variables } = (await startChild(t).child.ready) as { variables: string[] };
  equal(variables.includes('PATH'), true);
  deepEqual(
    variables.filter((name) => name.startsWith('GATEHOUSE_')),
    [],
  );
});

test('ChildProcess whose event loop does not turn is ended, and what it worked on is known', async (t) => {
  const { child } = startChild(t);
  await child.ready;
  await child.send('loop');
  const reason = await child.ended;
  equal(reason.kind, 'stuck');
  match(describeEnd(reason), /^its event loop did not turn for \d+ ms \(zone a{32}, rule rule-1\)$/);
});

test('ChildProcess in which a statement takes longer than it may is ended, whatever its event loop may take', async (t) => {
  const killed: EndReason[] = [];
  const { child } = startChild(t, {
    stuckMs: 600_000,
    statementMs: 200,
    onKill: (reason) => void killed.push(reason),
  });
  await child.ready;
  await child.send('statement');
  const reason = await child.ended;
  deepEqual(killed, [reason]);
  match(
    describeEnd(reason),
    /^an SQL statement exceeded its time limit, \d+ ms so far \(object Room a, statement SELECT (?:1 \+ )+1?\)$/,
  );
  equal(reason.kind === 'statement' && reason.work.statement?.length, 1_023, 'what is kept of a long name');
});

test('ChildProcess that is stopped by a signal is ended because its watchdog is silent', async (t) => {
  const { child } = startChild(t, { silentMs: silentForSureMs });
  await child.ready;
  process.kill(child.pid!, 'SIGSTOP');
  equal((await child.ended).kind, 'silent');
});

test('ChildProcess.stop ends a process that is stopped by a signal', async (t) => {
  const { child } = startChild(t, { silentMs: silentForSureMs });
  await child.ready;
  process.kill(child.pid!, 'SIGSTOP');
  equal((await child.stop({ graceMs: 600_000 })).kind, 'silent');
});

test('ChildProcess that takes more memory than it may is ended', async (t) => {
  const { child } = startChild(t, { residentBytesMax: 200 * 1024 * 1024, stuckMs: 60_000 });
  await child.ready;
  await child.send('grow');
  equal((await child.ended).kind, 'memory');
});

test('ChildProcess.ready rejects with what stood in the way', async (t) => {
  const { child } = startChild(t, { setup: { mode: 'fail' } });
  await rejects(child.ready, { name: 'ChildEndedError', message: 'there is no such file' });
  deepEqual(await child.ended, { kind: 'failed', name: 'TypeError', message: 'there is no such file' });
  const { child: gone } = startChild(t, { setup: { mode: 'exit' } });
  await rejects(gone.ready, /^ChildEndedError: test 1 has ended: it exited with code 3$/);
});

test('ChildProcess that cannot be started for lack of descriptors ends with the reason; measuring goes on', () => {
  const program = fileURLToPath(new URL('./testdata/without-descriptors.ts', import.meta.url));
  const args = ['-c', 'ulimit -n 100; exec "$@"', 'sh', process.execPath, program];
  const { stdout, stderr, status } = spawnSync('/bin/sh', args, { encoding: 'utf8' });
  deepEqual(stdout.split('\n').slice(0, 1), ['EMFILE'], stderr);
  match(stdout, /\n.*EMFILE.*\nmeasured before\n$/);
  equal(status, 0, stderr);
});

test('ChildProcess ignores signals for its parent, and stops during its start', async (t) => {
  const { child, nextMessage } = startChild(t);
  await child.ready;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.kill(child.pid!, signal);
  await child.send('echo');
  equal(await nextMessage(), 'echo');
  const { child: starting } = startChild(t, { setup: { mode: 'hang' } });
  deepEqual(await starting.stop({ graceMs: 0 }), { kind: 'stopped' });
});

test('ChildProcess puts what it prints into the log of its parent, under its name', async (t) => {
  const { child, nextEntry } = startChild(t);
  await child.ready;
  await child.send('log');
  const entries = [await nextEntry(), await nextEntry()];
  const logged = entries.find(({ message }) => message === 'something')!;
  deepEqual([logged['level'], logged['process'], logged['of']], ['warn', 'test 1', 'note']);
  deepEqual([logged['error'].name, logged['error'].message], ['RangeError', 'too far']);
  const printed = entries.find(({ message }) => message === 'a process printed')!;
  deepEqual([printed['level'], printed['text']], ['info', 'printed']);
  await child.send('throw');
  equal(describeEnd(await child.ended), 'it exited with code 1: RangeError: out of range');
});

test('ChildProcess ends with its parent, also in an endless loop', async (t) => {
  const parent = spawn(process.execPath, [fileURLToPath(new URL('./testdata/parent.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => parent.kill('SIGKILL'));
  const [line] = (await once(parent.stdout.setEncoding('utf8'), 'data')) as [string];
  const pids = JSON.parse(line) as number[];
  equal(pids.length, 2);
  parent.kill('SIGKILL');
  // A child that stays alive would run into the time limit of the test.
  for (const pid of pids) while (isAlive(pid)) await nextTurn();
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function supervise(t: TestContext, setups: readonly object[]) {
  const { log, next: nextEntry } = collectLog();
  const ready = new Messages();
  const messages = new Messages();
  let started = 0;
  const supervised = new SupervisedProcess({
    log,
    start: () =>
      new ChildProcess({
        name: 'test 1',
        module,
        setup: setups[Math.min(started++, setups.length - 1)],
        log,
        silentMs: 120_000,
        onMessage: messages.add,
      }),
    onReady: (child) => ready.add(child.pid),
  });
  t.after(() => supervised.stop({ graceMs: 0 }));
  return {
    supervised,
    nextEntry,
    nextReady: () => ready.next() as Promise<number>,
    nextMessage: () => messages.next(),
  };
}

test('SupervisedProcess starts a process that was killed again', async (t) => {
  const { supervised, nextReady, nextEntry } = supervise(t, [{}]);
  const first = await nextReady();
  process.kill(first, 'SIGKILL');
  const second = await nextReady();
  equal(first === second, false);
  equal(supervised.child!.pid, second);
  const entry = await nextEntry();
  deepEqual(
    [entry['level'], entry['message'], entry['process'], entry['pid'], entry['reason']],
    ['error', 'a process has ended; restarting it', 'test 1', first, 'it was ended by SIGKILL'],
  );
});

test('SupervisedProcess starts a first process again that was killed before it was ready, and not one that failed', async (t) => {
  const { log, next } = collectLog();
  const starts: ChildProcess[] = [];
  const supervise = (mode: (start: number) => string): SupervisedProcess =>
    new SupervisedProcess({
      log,
      isFirstNeeded: 'unless killed',
      start() {
        const setup = { mode: mode(starts.length) };
        const { child } = startChild(t, { setup, name: `start ${starts.length}` });
        starts.push(child);
        return child;
      },
    });
  const killed = supervise((start) => (start === 0 ? 'hang' : 'run'));
  process.kill(starts[0]!.pid!, 'SIGKILL');
  equal((await next())['reason'], 'it was ended by SIGKILL');
  await killed.firstReady;
  equal(starts.length, 2);
  await killed.stop({ graceMs: 1_000 });
  await rejects(supervise(() => 'fail').firstReady, { message: 'there is no such file' });
});

test('SupervisedProcess waits longer and longer for a process that fails at each start, and says why', async (t) => {
  const { supervised, nextEntry } = supervise(t, [{ mode: 'fail' }]);
  await rejects(supervised.firstReady, { message: 'there is no such file' });
  const entries = [await nextEntry(), await nextEntry(), await nextEntry()];
  deepEqual(
    entries.map(({ reason, retryMs }) => [reason, retryMs]),
    [25, 50, 100].map((retryMs) => ['there is no such file', retryMs]),
  );
  equal(supervised.state.state, 'waiting');
  await supervised.stop({ graceMs: 0 });
  equal(supervised.state.state, 'stopped');
});

test('SupervisedProcess.replace keeps the process if its successor fails, and asks it to stop otherwise', async (t) => {
  const { supervised, nextReady, nextEntry, nextMessage } = supervise(t, [{}, { mode: 'fail' }, {}]);
  const first = await nextReady();
  await supervised.replace({ graceMs: 1_000 });
  equal((await nextEntry())['message'], 'could not replace a process; keeping the current one');
  equal(supervised.child!.pid, first);
  const before = supervised.child!;
  await supervised.replace({ graceMs: 10_000 });
  equal(supervised.child!.pid, await nextReady());
  deepEqual(await before.ended, { kind: 'stopped' });
  equal(await nextMessage(), 'stopping');
});

test('Standby has a process in waiting that begins when it is taken, and then another', async (t) => {
  const { log, next: nextEntry } = collectLog();
  const waiting = new Messages();
  const standby = new Standby({
    log,
    delayMs: 0,
    start() {
      const child = new ChildProcess({ name: 'in waiting', module, setup: {}, isWaiting: true, log });
      t.after(() => child.kill({ kind: 'stopped' }));
      waiting.add(child);
      return child;
    },
  });
  const first = (await waiting.next()) as ChildProcess;
  equal(standby.take(), first);
  equal(standby.take(), undefined);
  const messages = new Messages();
  first.begin({ name: 'test 1', setup: {}, log, onMessage: messages.add });
  await first.ready;
  await first.send('echo');
  deepEqual([await messages.next(), first.name], ['echo', 'test 1']);
  // A process that is killed while it waits is replaced.
  const second = (await waiting.next()) as ChildProcess;
  second.kill({ kind: 'silent', ms: 600 });
  equal((await nextEntry())['message'], 'a standby process has ended');
  const third = (await waiting.next()) as ChildProcess;
  await standby.stop();
  deepEqual(await third.ended, { kind: 'stopped' });
});
