/**
 * Ways to end or to stall the program, for a visitor without credentials, a token that may only read, and a Worker: beside
 * each, the API, the page, the admin port and another site answer, and the program stays the same process. In a test run each
 * way is met by a few requests, with 200 descriptors. `npm run hostile` tries them in turns for an hour, with 200, 1,024 and
 * 4,096 descriptors, and wants none of these away for more than a second; `GATEHOUSE_HOSTILE_MINUTES=5` makes it shorter, and
 * `GATEHOUSE_HOSTILE_ONLY` takes the ways whose names contain it.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { permissionGroups } from '#contract';
import { eventually } from '../eventually.ts';
import { TestOrigin } from '../edge/test-origin.ts';
import { WorkerSite } from '../edge/worker-site.ts';
import { Bystander, createBystanders } from '../neighbours/bystanders.ts';
import { createLimitedToken } from '../server/limited-token.ts';
import { temporary } from '../server/gatehouse.ts';
import { readerWays } from './reader-ways.ts';
import { strangerWays } from './stranger-ways.ts';
import type { HostileSite, Way } from './way.ts';
import { hostileWorker, waysOfWorkers } from './worker-ways.ts';

const { GATEHOUSE_HOSTILE_MINUTES = '0', GATEHOUSE_HOSTILE_ONLY = '' } = process.env;
/** 0: until each bystander has been answered `shortAnswers` times. */
const minutes = Number(GATEHOUSE_HOSTILE_MINUTES);
const shortAnswers = 1;
const awayMsMax = 1_000;
/** Of one way in a turn: long enough for what is ended to be started again. */
const turnMs = 5_000;

const ways: readonly Way[] = [...strangerWays, ...readerWays, ...waysOfWorkers].filter(({ name }) =>
  name.includes(GATEHOUSE_HOSTILE_ONLY),
);

for (const descriptors of minutes === 0 ? [200] : [200, 1_024, 4_096])
  test(`${ways.length} ways to end or to stall a program with ${descriptors} descriptors`, async (t) => {
    await using origin = await TestOrigin.listen();
    const hostile = await start(t, origin, descriptors);
    const bystanders = [...createBystanders(hostile.site), createReader(hostile)];
    const endMs = performance.now() + (minutes * 60_000) / 3;
    do for (const way of ways) await meet(t, hostile, way, bystanders);
    while (performance.now() < endMs);
    for (const bystander of bystanders)
      t.diagnostic(`${bystander.describe()}, away for ${Math.round(bystander.awayMs)} ms at most`);
    equal(hostile.site.server.process.exitCode, null);
    if (minutes > 0)
      deepEqual(
        bystanders.filter(({ awayMs }) => awayMs > awayMsMax).map(({ name }) => name),
        [],
      );
  });

async function start(t: TestContext, origin: TestOrigin, descriptors: number): Promise<HostileSite> {
  const directory = temporary(t);
  mkdirSync(join(directory, 'hostile'));
  writeFileSync(join(directory, 'hostile', 'index.js'), hostileWorker);
  const site = await WorkerSite.start(t, {
    directory,
    descriptors,
    args: ['--workers', 'hostile=hostile/index.js'],
    environment: { GATEHOUSE_ADMIN_PORT: '0', GATEHOUSE_OBJECT_HOSTS: '2' },
  });
  const [attacked, beside] = [site.zone, site.findZone('business')];
  await site.call(`PUT /zones/${attacked.id}/edge`, { origin: { worker: 'hostile' } });
  await site.call(`PUT /zones/${beside.id}/edge`, { origin: { url: origin.url } });
  for (const { name: host } of [attacked, beside])
    await eventually(async () => (await site.send('/', { host })).status === 200, `${host} is served`);
  const groups = Object.values(permissionGroups)
    .filter(({ name, scope }) => scope === 'account' && name.endsWith('Read'))
    .map(({ name }) => name);
  const token = await createLimitedToken(site.ready, { groups });
  return { site, host: attacked.name, token, objects: `/accounts/${site.ready.account_id}/objects` };
}

/** Who looks at the page: a stranger to the API, by a connection of its own. */
function createReader({ site }: HostileSite): Bystander {
  const { origin } = new URL(site.ready.api);
  return new Bystander('the page', async () => {
    const answer = await fetch(`${origin}/`, { headers: { accept: 'text/html', connection: 'close' } });
    await answer.arrayBuffer();
    return answer.status;
  });
}

async function meet(
  t: TestContext,
  hostile: HostileSite,
  way: Way,
  bystanders: readonly Bystander[],
): Promise<void> {
  const end = new AbortController();
  const tried = way.run(hostile, end.signal).catch((error: unknown) => ok(end.signal.aborted, String(error)));
  const before = bystanders.map(({ awayMs }) => awayMs);
  if (minutes === 0) await Promise.all(bystanders.map(askInShort));
  else
    await Promise.all([
      delay(turnMs).then(() => end.abort()),
      ...bystanders.map((each) => each.askUntil(end.signal)),
    ]);
  end.abort();
  await tried;
  for (const [index, { name, awayMs }] of bystanders.entries())
    if (minutes > 0 && awayMs > awayMsMax && awayMs > before[index]!)
      t.diagnostic(`${way.name}: ${name} away for ${Math.round(awayMs)} ms`);
}

/** A newcomer may have to ask again while others take every place. */
async function askInShort(bystander: Bystander): Promise<void> {
  const wanted = bystander.answered + shortAnswers;
  await eventually(async () => {
    await bystander.askOnce();
    return bystander.answered >= wanted;
  }, `${bystander.name} is answered`);
}
