/** Learning in `gatehouse serve` with several edge processes: reported values survive the end of any of them. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { test } from 'node:test';
import { runCaptured } from '../../src/program/cli/testing.ts';
import { TestOrigin } from '../edge/test-origin.ts';
import { eventually } from '../eventually.ts';
import { Gatehouse, type ReadyFacts, temporary } from './gatehouse.ts';

type Served = ReadyFacts & { readonly edge: string };

async function visit({ edge, zones }: Served, network: number, path: string): Promise<number> {
  const outgoing = request({
    port: new URL(edge).port,
    host: '127.0.0.1',
    agent: false,
    path,
    headers: { host: zones.find(({ plan }) => plan === 'pro')!.name, 'x-forwarded-for': `10.0.${network}.5` },
  });
  outgoing.end();
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode!;
}

test('two edge processes learn for one zone; it knows what was told after SIGTERM and after kill -9', async (t) => {
  await using origin = await TestOrigin.listen();
  const directory = temporary(t);
  const args = ['--edge-workers', '2', '--allow-private-origins', 'true', '--trusted-proxies', '127.0.0.0/8'];
  const start = async (): Promise<{ server: Gatehouse; ready: Served }> => {
    const { server, ready } = await Gatehouse.start(t, { directory, args });
    return { server, ready: ready as Served };
  };
  const run = async ({ api }: Served, ...command: string[]): Promise<string> => {
    const { token = '' } = first.ready;
    const { code, stdout, stderr } = await runCaptured(...command, '--api', api, '--token', token, '--json');
    equal(code, 0, stderr);
    return stdout;
  };
  const first = await start();
  const zone = first.ready.zones.find(({ plan }) => plan === 'pro')!.name;
  await run(first.ready, 'zones', 'set-edge', zone, '--origin-url', origin.url, '--learning', 'watching');
  await eventually(async () => (await visit(first.ready, 0, '/')) === 200, 'the origin to be known');
  for (let each = 0; each < 40; each++)
    await eventually(
      async () => (await visit(first.ready, each, `/product/${each}?id=${each}`)) === 200,
      'both processes to know the origin',
    );
  first.server.process.kill('SIGTERM');
  equal(await first.server.exited, 0);

  const second = await start();
  const shown = JSON.parse(await run(second.ready, 'learning', 'show', zone));
  deepEqual([shown.mode, shown.requests, shown.values], ['watching', 40, 1]);
  // One value a line.
  const value = JSON.parse(await run(second.ready, 'learning', 'list', zone));
  deepEqual([value.path, value.name, value.requests, value.networks], ['/product/{number}', 'id', 40, 40]);
  await eventually(
    async () => (await visit(second.ready, 41, '/product/1?id=1')) === 200,
    'the zone to be served',
  );
  second.server.process.kill('SIGKILL');
  await second.server.exited;

  const third = await start();
  const left = JSON.parse(await run(third.ready, 'learning', 'show', zone));
  // Only unreported values are lost.
  ok(left.requests === 40 || left.requests === 41, `${left.requests} requests`);
  match(await run(third.ready, 'learning', 'forget', zone, '--yes'), /"values":[12]/);
  equal(JSON.parse(await run(third.ready, 'learning', 'show', zone)).requests, 0);
});
