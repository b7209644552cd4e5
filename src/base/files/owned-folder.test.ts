import { equal, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { test } from 'node:test';
import { isOwnerAlive } from './owned-folder.ts';

const isLinux = process.platform === 'linux';

test(
  'isOwnerAlive knows that a process has ended before its parent has noticed',
  { skip: !isLinux },
  async (t) => {
    // It becomes another program, which does not know of its child.
    const parent = spawn('sh', ['-c', 'true & echo $!; exec cat'], { stdio: 'pipe' });
    t.after(() => parent.kill('SIGKILL'));
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const describe = (pid: number): string => `${pid}\n${readlinkSync('/proc/self/ns/pid')}\n`;
    const ended = Number(line);
    while (isOwnerAlive(describe(ended))) await new Promise(setImmediate);
    ok(process.kill(ended, 0), 'its number is taken');
    equal(isOwnerAlive(describe(parent.pid!)), true);
  },
);
