import { equal, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { test } from 'node:test';
import { isOwnerAlive } from './owned-folder.ts';

const isLinux = process.platform === 'linux';

test(
  'isOwnerAlive knows that a process has ended before its parent has noticed',
  { skip: !isLinux },
  async (t) => {
    // Its child reads until the test closes a pipe; by then the parent is another program, which does not know about
    // it.
    const parent = spawn('sh', ['-c', 'read line <&3 & echo $!; exec cat 3<&-'], {
      stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
    });
    t.after(() => parent.kill('SIGKILL'));
    const [line] = (await once(parent.stdout!, 'data')) as [Buffer];
    parent.stdin!.write('the other program');
    await once(parent.stdout!, 'data');
    const describe = (pid: number): string => `${pid}\n${readlinkSync('/proc/self/ns/pid')}\n`;
    const ended = Number(line);
    equal(isOwnerAlive(describe(ended)), true);
    (parent.stdio[3] as Writable).end();
    while (isOwnerAlive(describe(ended))) await new Promise(setImmediate);
    ok(process.kill(ended, 0), 'its number is taken');
    equal(isOwnerAlive(describe(parent.pid!)), true);
  },
);
