/** Operator requests to `gatehouse serve` through the socket in its data directory. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { connectOperator } from '#operator';
import { runCaptured } from '../../src/program/cli/testing.ts';
import { testRulesDirectory } from '../../src/rules/seclang/crs/testing.ts';
import { Gatehouse, temporary } from './gatehouse.ts';

test('the door of serve tells of its objects, its disk and its rules, and has no deployments', async (t) => {
  const directory = temporary(t);
  const data = join(directory, 'data');
  const { server } = await Gatehouse.start(t, { directory });
  const client = (await connectOperator(data))!;
  const accounts = await Array.fromAsync(
    client.lines('GET', '/object_names', { query: { class: 'Account' } }),
  );
  const name = accounts[0]!.name!;

  // Owners of the directory see data that no other interface of the server returns.
  const { result } = await client.post('/objects/{class_name}/{object}/query', {
    class_name: 'Account',
    object: name,
    body: { sql: 'SELECT hash FROM tokens LIMIT 1' },
  });
  ok(!String(result.rows[0]![0]).startsWith('hidden-'));

  // While the server runs, too.
  const disk = await runCaptured('disk', '--data', data, '--json');
  equal(disk.code, 0);
  match(disk.stdout, new RegExp(`^\\{"kind":"part","name":"journal"[^]*"class":"Account","name":"${name}"`));

  deepEqual((await client.get('/core_rules')).result, []);
  equal((await runCaptured('crs', 'install', testRulesDirectory, '--data', data)).code, 0);
  const [installed] = (await client.get('/core_rules')).result;
  equal(installed!.is_current, true);
  const none = await client.put('/core_rules/current', { body: { version: null } });
  equal(none.result[0]!.is_current, false);
  const { version } = installed!;
  // The commands use the same socket.
  match((await runCaptured('crs', 'list', '--data', data)).stdout, new RegExp(`^  ${version}  `));
  equal((await runCaptured('crs', 'use', version, '--data', data)).code, 0);
  const kept = await runCaptured('crs', 'remove', version, '--data', data);
  deepEqual([kept.code, kept.stderr.includes('is in force')], [3, true]);
  equal((await runCaptured('crs', 'use', 'none', '--data', data)).code, 0);
  await rejects(client.put('/core_rules/current', { body: { version: 'none-such' } }), /none-such/);
  deepEqual((await client.delete('/core_rules/{version}', { version })).result, []);

  for (const path of ['/deployments', '/clock', '/cluster'] as const)
    await rejects(client.get(path), /the program on this directory has no/);
  equal(await server.end('SIGTERM'), 0);
});
