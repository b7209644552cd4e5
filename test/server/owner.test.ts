/** `gatehouse owner reset`, for owners of the machine without credentials. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Gatehouse, type ReadyFacts, temporary } from './gatehouse.ts';

const main = fileURLToPath(new URL('../../src/program/cli/main.ts', import.meta.url));

async function statusOf({ api }: ReadyFacts, headers: Record<string, string>): Promise<number> {
  return (await fetch(`${api}/user`, { headers })).status;
}

test('gatehouse owner reset replaces the key and the token of the owner', async (t) => {
  const directory = temporary(t);
  const { server, ready } = await Gatehouse.start(t, { directory });
  const args = [main, 'owner', 'reset', '--data', join(directory, 'data')];
  await assert.rejects(promisify(execFile)(process.execPath, args), /another runtime owns it/);
  await server.end('SIGTERM');
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const [, email = '', token = '', key = ''] =
    /^ {2}owner {4}(\S+)\n {2}token {4}(\S+)\n {2}key {6}(\S+)\n$/.exec(stdout) ?? [];
  assert.equal(email, ready.email);
  const { ready: again } = await Gatehouse.start(t, { directory });
  assert.equal(await statusOf(again, { authorization: `Bearer ${token}` }), 200);
  assert.equal(await statusOf(again, { 'x-auth-email': email, 'x-auth-key': key }), 200);
  assert.equal(await statusOf(again, { authorization: `Bearer ${ready.token}` }), 403);
  assert.equal(await statusOf(again, { 'x-auth-email': email, 'x-auth-key': ready.key! }), 400);
  assert.deepEqual([again.token, again.key], [undefined, undefined]);
});

test('a start without the ready file of the one before names the command that makes credentials', async (t) => {
  const directory = temporary(t);
  const { server, ready } = await Gatehouse.start(t, { directory });
  assert.doesNotMatch(server.stdout, /owner reset/);
  await server.end('SIGTERM');
  const { server: kept, ready: same } = await Gatehouse.start(t, { directory });
  assert.deepEqual([same.token, same.key], [ready.token, ready.key]);
  assert.doesNotMatch(kept.stdout, /owner reset/);
  await kept.end('SIGTERM');
  rmSync(join(directory, 'ready.json'));
  const { server: bare, ready: none } = await Gatehouse.start(t, { directory });
  assert.equal(none.token, undefined);
  await bare.end('SIGTERM');
  const [, command] = /stop the\nserver and create a new one:\n {2}gatehouse (.*)\n/.exec(bare.stdout) ?? [];
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...command!.split(' ')]);
  const [, token] = /^ {2}token {4}(\S+)$/m.exec(stdout) ?? [];
  const { ready: again } = await Gatehouse.start(t, { directory });
  assert.equal(await statusOf(again, { authorization: `Bearer ${token}` }), 200);
});
