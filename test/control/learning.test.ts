/** A zone's object merges, folds, bounds and deletes the data that edges have learned. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { parseIp } from '#addresses';
import { Batch, type LearnedBatch } from '#learning';
import { TestControl } from './harness.ts';
import { makeToken } from './token-maker.ts';

const dayMs = 86_400_000;

let control: TestControl;
let zoneId: string;
let zone: string;
beforeEach(async () => {
  control = await TestControl.open();
  zoneId = control.zone('pro');
  zone = `/zones/${zoneId}`;
  await control.call(`PUT ${zone}/edge`, { body: { learning: 'watching' } });
});
afterEach(() => control.close());

async function readSeed(): Promise<string> {
  return (await control.control.configurations.readConfiguration(zoneId))!.learned!.seed;
}

/** Data that an edge learned: each path from this many networks, the argument `q` with a number. */
async function learn(paths: readonly string[], networks: number, first = 0): Promise<LearnedBatch> {
  const batch = new Batch(await readSeed());
  const day = Math.floor(control.clock.now() / dayMs);
  for (let network = first; network < first + networks; network++)
    for (const path of paths)
      batch.add({
        ip: parseIp(`10.${network >> 8}.${network & 255}.9`)!,
        path,
        values: [{ place: 'argument', name: 'q', value: '17' }],
        day,
      });
  return batch.toMessage();
}

async function list(query = ''): Promise<any[]> {
  return (await control.call(`GET ${zone}/learning/values?per_page=500${query}`)).result;
}

test('learning.list merges what several edges send, in whatever order, and searches it', async () => {
  const [a, b] = [await learn(['/a'], 30), await learn(['/a', '/b'], 30, 15)];
  await control.control.learn(zoneId, a);
  await control.control.learn(zoneId, b);
  deepEqual(
    (await list()).map(({ path, requests, networks }) => [path, requests, networks]),
    [
      ['/a', 60, 45],
      ['/b', 30, 30],
    ],
  );
  equal((await list('&path=/B')).length, 1);
  equal((await list('&name=other')).length, 0);
});

test('what is learned survives a restart, counts after a day, and is old after thirty', async () => {
  for (let batch = 0; batch < 8; batch++) await control.control.learn(zoneId, await learn(['/a'], 30));
  control = await control.restart();
  await control.clock.advance(dayMs);
  await control.control.learn(zoneId, await learn(['/a'], 1));
  const { learned } = (await control.control.configurations.readConfiguration(zoneId))!;
  deepEqual(
    learned!.values.map(({ path, requests, networks }) => [path, requests, networks]),
    [['/a', 241, 30]],
  );
  // The same again: edges need not compile the zone for that.
  await control.clock.advance(dayMs / 24);
  await control.control.learn(zoneId, await learn(['/a'], 30));
  const again = (await control.control.configurations.readConfiguration(zoneId))!.learned!;
  equal(again.values[0]!.requests, 241);
  equal((await list())[0].requests, 271);
  await control.clock.advance(40 * dayMs);
  await control.control.learn(zoneId, await learn(['/b'], 1));
  deepEqual(
    (await list()).map(({ path }) => path),
    ['/b'],
  );
});

test('the segments below a path are one, if many networks send many of them; one network cannot do that', async () => {
  const shoes = Array.from(
    { length: 50 },
    (_, index) => `/shoes/model${String.fromCodePoint(97 + (index % 26))}x${index}`,
  );
  const alone = Array.from(
    { length: 45 },
    (_, index) => `/other/page${String.fromCodePoint(97 + (index % 26))}y${index}`,
  );
  for (let network = 0; network < 9; network++)
    for (let start = 0; start < 50; start += 10)
      await control.control.learn(zoneId, await learn(shoes.slice(start, start + 10), 2, 2 * network));
  for (let start = 0; start < 45; start += 15)
    await control.control.learn(zoneId, await learn(alone.slice(start, start + 15), 1, 100));
  await control.clock.advance(dayMs);
  await control.control.learn(zoneId, await learn(['/shoes/brandnew'], 1));
  const paths = (await list()).map(({ path }) => path);
  deepEqual(
    paths.filter((path) => path.startsWith('/shoes/')),
    ['/shoes/{text}'],
  );
  equal(paths.filter((path) => path.startsWith('/other/')).length, 45);
  await control.control.learn(zoneId, await learn(['/shoes/newest'], 1));
  ok(!(await list()).some(({ path }) => path === '/shoes/newest'));
});

test('a zone keeps 500 values: those that the fewest networks sent go first', async () => {
  await control.control.learn(zoneId, await learn(['/kept'], 30));
  for (let network = 0; network < 40; network++) {
    const paths = Array.from({ length: 15 }, (_, index) => `/p${network}x${index}z`);
    await control.control.learn(zoneId, await learn(paths, 1, network));
  }
  const values = await list();
  equal(values.length, 500);
  ok(values.some(({ path }) => path === '/kept'));
});

test('edgeLearning.add takes what an edge elsewhere has learned, and refuses what is no sample', async () => {
  const { headers } = await makeToken(control, { groups: ['Account Edge Write'] });
  const add = (body: object) =>
    control.call(`POST /accounts/${control.control.directory.accountId}/edge/learning`, { body, headers });
  const batch = await learn(['/a'], 30);
  equal((await add({ zone_id: zoneId, ...batch })).result.values, 1);
  equal((await list())[0].networks, 30);
  equal((await add({ zone_id: zoneId, ...batch, seed: 'another' })).result.values, 0);
  const [value] = batch.values;
  const wrong = await add({ zone_id: zoneId, ...batch, values: [{ ...value, sample: 'AAAA' }] });
  deepEqual([wrong.status, wrong.errors[0]!.code], [400, 11_013]);
  equal((await add({ zone_id: zoneId, ...batch, values: [{ ...value, path: 'x' }] })).status, 400);
  equal((await add({ zone_id: '0'.repeat(32), ...batch })).status, 404);
  await control.call(`PUT ${zone}/edge`, { body: { learning: 'off' } });
  equal((await add({ zone_id: zoneId, ...batch })).result.values, 0);
});
