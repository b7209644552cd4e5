/**
 * A Worker that deletes, replaces or freezes every global and every method it can reach, in an order that depends on a
 * seed, harms only itself: its own requests end, with any result, and it serves again; the admin port, the log and
 * another Worker work as before. `npm run verify -- vandals` tries many seeds; one of them again with `GATEHOUSE_SEED=7
 * npm run verify -- vandals`.
 */
import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { connectOperator } from '#operator';
import { eventually } from '../eventually.ts';
import { WorkerSite } from '../edge/worker-site.ts';
import { Gatehouse, temporary } from '../server/gatehouse.ts';
import { handlerVandal, loadVandal } from './vandal.ts';

const { GATEHOUSE_VANDALS = '3', GATEHOUSE_SEED = '1' } = process.env;
const rounds = Number(GATEHOUSE_VANDALS);
const firstSeed = GATEHOUSE_SEED === 'random' ? Date.now() % 1_000_000 : Number(GATEHOUSE_SEED);

/** From a few changes to all. */
const counts = [3, 30, 300, 20_000];

const calm = `export default { fetch: (request) => new Response('calm ' + [3, 1, 2].toSorted().join() + ' ' + new URL(request.url).pathname) };`;

test('a Worker that breaks what it can reach changes no answer of the admin port, of another Worker or of the log', async (t) => {
  const directory = temporary(t);
  for (const [name, code] of Object.entries({ vandal: handlerVandal, calm })) {
    mkdirSync(join(directory, name));
    writeFileSync(join(directory, name, 'index.js'), code);
  }
  const workers = 'vandal=vandal/index.js,calm=calm/index.js';
  const site = await WorkerSite.start(t, {
    directory,
    workers: 1,
    args: ['--workers', workers, '--admin-port', '0'],
  });
  const [broken, quiet] = [site.findZone('enterprise'), site.findZone('pro')];
  await site.call(`PUT /zones/${broken.id}/edge`, { origin: { worker: 'vandal' } });
  await site.call(`PUT /zones/${quiet.id}/edge`, { origin: { worker: 'calm' } });
  const ask = async (zone: { readonly name: string }, path: string): Promise<string> => {
    const { status, body } = await site.send(path, { host: zone.name });
    return `${status} ${body}`;
  };
  const readAdmin = async (): Promise<unknown> => {
    const { admin } = site.ready;
    const [health, metrics] = await Promise.all(
      ['livez', 'metrics'].map(async (path) => await fetch(`${admin}/${path}`)),
    );
    const names = [...(await metrics!.text()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    return [health!.status, await health!.text(), metrics!.status, names.toSorted()];
  };
  await eventually(async () => (await ask(broken, '/')) === '200 fine', 'the Worker serves');
  await eventually(async () => (await ask(quiet, '/a')) === '200 calm 1,2,3 /a', 'the other Worker serves');
  const before = await readAdmin();
  for (let round = 0; round < rounds; round++) {
    const seed = firstSeed + round;
    const count = counts[round % counts.length]!;
    const path = `/${round % 2 === 0 ? 'vandalise' : 'object'}?seed=${seed}&count=${count}`;
    t.diagnostic(`${path}: ${(await ask(broken, path)).slice(0, 60)}`);
    equal(await ask(quiet, '/b'), '200 calm 1,2,3 /b', path);
    deepEqual(await readAdmin(), before, path);
    await eventually(async () => /^[2-5]\d\d /.test(await ask(broken, '/')), `${path}: its requests end`);
  }
  for (const line of site.server.stderr.trim().split('\n'))
    ok(typeof JSON.parse(line).message === 'string', line);
  equal(await site.server.end('SIGTERM'), 0);
});

test('gatehouse deploy refuses code that does not finish loading, and survives code that breaks things while it loads', async (t) => {
  const directory = temporary(t);
  mkdirSync(join(directory, 'project'));
  const write = (code: string): void => writeFileSync(join(directory, 'project', 'index.js'), code);
  const calm = (version: number): string =>
    `export default { fetch: () => new Response('version ${version}') };`;
  write(calm(0));
  const args = ['project/index.js', '--object-host-stuck', '4s', '--admin-port', '0'];
  const { server, ready } = await Gatehouse.start(t, { command: 'run', directory, args });
  const { url, admin } = ready as unknown as { readonly url: string; readonly admin: string };
  const ask = async (): Promise<string> =>
    await (await fetch(url, { headers: { connection: 'close' } })).text();
  const data = join(directory, 'data');

  const operator = (await connectOperator(data))!;
  write(`await new Promise(() => {});\n${calm(-1)}`);
  await rejects(
    operator.post('/deployments'),
    /version 1 keeps running: version 2 does not load: .*index\.js does not finish loading: after 4000 ms, an await/,
  );
  write(`for (;;);\n${calm(-1)}`);
  await rejects(
    operator.post('/deployments'),
    /version 1 keeps running: .*event loop did not turn for \d+ ms \(loading .*index\.js\)/,
  );
  equal(await ask(), 'version 0');
  for (let round = 0; round < rounds; round++) {
    const seed = firstSeed + round;
    write(loadVandal(seed, counts[round % counts.length]!));
    const outcome = await operator.post('/deployments').then(
      () => 'deployed',
      (error: Error) => `refused: ${error.message}`,
    );
    t.diagnostic(`seed ${seed}: ${outcome.slice(0, 120)}`);
    equal((await fetch(`${admin}/livez`)).status, 200);
    write(calm(seed));
    await operator.post('/deployments');
    equal(await ask(), `version ${seed}`);
  }
  for (const line of server.stderr.trim().split('\n')) ok(typeof JSON.parse(line).message === 'string', line);
  equal(await server.end('SIGTERM'), 0);
});
