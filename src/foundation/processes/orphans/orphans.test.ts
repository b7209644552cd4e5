/** A client on the socket for orphans is accepted only if the previous program has recorded it. */
import { deepEqual, equal } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeFrame } from '../channel/frames.ts';
import { letChildrenOutlive, Orphans } from './orphans.ts';

test('Orphans takes over only processes that the program before has noted, each once', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-orphans-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const [noted, stranger] = [0, 1].map(() => spawn('sleep', ['600'], { stdio: 'ignore' }));
  for (const each of [noted!, stranger!]) t.after(() => each.kill('SIGKILL'));
  const path = join(directory, 'o.sock');
  writeFileSync(`${path}.pids`, `${noted!.pid}\n`);
  letChildrenOutlive();
  const orphans = (await Orphans.listen(path))!;
  t.after(() => orphans.close());
  const introduce = async (facts: unknown): Promise<void> => {
    const socket = connect(path).on('error', () => {});
    await once(socket, 'connect');
    writeFrame(socket, facts);
    await once(socket.resume(), 'close');
  };
  const facts = { name: 'edge worker 1', setupDigest: 'x' };
  await introduce({ ...facts, pid: stranger!.pid });
  await introduce({ ...facts, pid: -1 });
  await introduce(null);
  await introduce('x'.repeat(1_000));
  const known = connect(path);
  t.after(() => known.destroy());
  writeFrame(known, { ...facts, pid: noted!.pid });
  const gathered = await orphans.gather({ msMax: 60_000 });
  deepEqual(
    gathered.map(({ name, started }) => [name, started.process.pid]),
    [['edge worker 1', noted!.pid]],
  );
  await introduce({ ...facts, pid: noted!.pid });
  equal(stranger!.exitCode ?? stranger!.signalCode, null);
  equal(noted!.exitCode ?? noted!.signalCode, null);
});
