import { deepEqual, equal } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { isRunnable } from './is-runnable.ts';
import { Stretch } from './stretch.ts';
import { readWaitedForCpu } from './waited-for-cpu.ts';

test('Stretch does not count the time in which its thread waited for a processor, and begins anew with each', () => {
  let used = { cpuMs: 1_000, waitedMs: 500 };
  const stretch = new Stretch(() => used);
  deepEqual(stretch.look(1, 100), { clockMs: 0, ownMs: 0, cpuMs: 0 });
  deepEqual(stretch.look(1, 100), { clockMs: 100, ownMs: 100, cpuMs: 0 });
  used = { cpuMs: 1_300, waitedMs: 5_100 };
  // 4.6 of 5 s without a processor.
  for (let look = 0; look < 49; look++) stretch.look(1, 100);
  deepEqual(stretch.look(1, 0), { clockMs: 5_000, ownMs: 400, cpuMs: 300 });
  deepEqual(stretch.look(2, 100), { clockMs: 0, ownMs: 0, cpuMs: 0 });
});

const linux = { skip: process.platform !== 'linux' };

test('readWaitedForCpu grows where other processes keep every core', linux, (t) => {
  const busy = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  t.after(() => busy.forEach((each) => each.kill('SIGKILL')));
  const before = readWaitedForCpu(process.pid)!;
  while (readWaitedForCpu(process.pid)! < before + 10);
});

test(
  'isRunnable knows a process that computes from one that is stopped, and one that is gone',
  linux,
  async () => {
    const child = spawn(process.execPath, ['-e', 'console.log(1); for (;;);']);
    await once(child.stdout, 'data');
    while (!isRunnable(child.pid));
    child.kill('SIGSTOP');
    while (isRunnable(child.pid));
    child.kill('SIGKILL');
    await once(child, 'close');
    equal(isRunnable(child.pid), false);
  },
);
