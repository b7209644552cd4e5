/**
 * Two neighbours on one server: while one attacks, no request to the other, to the API or to `/livez` fails. In a test
 * run a fixed number of requests is sent during each attack. `npm run verify -- neighbours` attacks for 30 s each, once
 * more with other processes that keep every core busy, and requires a 99th percentile below 250 ms for all others.
 */
import { deepEqual, ok } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../eventually.ts';
import { TestOrigin } from '../edge/test-origin.ts';
import { WorkerSite } from '../edge/worker-site.ts';
import { apiBodies } from './api-bodies.ts';
import { bodies } from './bodies.ts';
import { keepCoresBusy } from './busy-cores.ts';
import { type Bystander, createBystanders } from './bystanders.ts';
import { costlyRules } from './costly-rules.ts';
import type { Attack } from './neighbour.ts';

const attacks: readonly Attack[] = [costlyRules, bodies, apiBodies];

/** 0: until each bystander has asked `shortRequests` times. */
const seconds = Number(process.env['GATEHOUSE_NEIGHBOURS_SECONDS'] ?? 0);
const shortRequests = 10;
const p99MsMax = 250;

test('neighbours of one who does its worst are served', async (t) => {
  await using origin = await TestOrigin.listen();
  const site = await startSite(t, origin);
  for (const attack of attacks) {
    await t.test(attack.name, async (part) => {
      await attack.prepare?.(site);
      if (seconds > 0) await meet(part, site, nobody);
      await meet(part, site, attack);
      if (seconds === 0) return;
      using _load = keepCoresBusy();
      await meet(part, site, attack);
    });
  }
});

async function startSite(t: TestContext, origin: TestOrigin): Promise<WorkerSite> {
  const site = await WorkerSite.start(t, {
    environment: { GATEHOUSE_OBJECT_HOSTS: '2', GATEHOUSE_ADMIN_PORT: '0' },
  });
  for (const plan of ['pro', 'enterprise', 'business']) {
    const { id, name: host } = site.findZone(plan);
    await site.call(`PUT /zones/${id}/edge`, { origin: { url: origin.url } });
    // Both workers have it when a number of new connections in a row are served.
    let inRow = 0;
    await eventually(async () => {
      inRow = (await site.send('/', { host })).status === 200 ? inRow + 1 : 0;
      return inRow >= 20;
    });
  }
  return site;
}

async function meet(t: TestContext, site: WorkerSite, attack: Attack): Promise<void> {
  const end = new AbortController();
  const attempts = attack.run(site, end.signal);
  const bystanders = createBystanders(site);
  await (seconds === 0
    ? Promise.all(bystanders.map(askInShort))
    : Promise.all([
        delay(seconds * 1_000).then(() => end.abort()),
        ...bystanders.map((each) => each.askUntil(end.signal)),
      ]));
  end.abort();
  t.diagnostic(`${attack.name}: ${await attempts} attempts`);
  for (const bystander of bystanders) t.diagnostic(bystander.describe());
  ok((await attempts) > 0);
  for (const bystander of bystanders) {
    deepEqual(bystander.failures, [], bystander.name);
    if (seconds > 0 && attack !== nobody) ok(bystander.percentile(0.99) < p99MsMax, bystander.describe());
  }
}

/** The durations without an attack. */
const nobody: Attack = {
  name: 'nobody attacks',
  run: async (_, signal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return 1;
  },
};

async function askInShort(bystander: Bystander): Promise<void> {
  for (let asked = 0; asked < shortRequests; asked++) await bystander.askOnce();
}
