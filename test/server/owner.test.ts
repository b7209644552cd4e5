/** `gatehouse owner reset`, for those who have the machine but no credentials. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Gatehouse, type ReadyFacts, temporary } from './gatehouse.ts';

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

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
