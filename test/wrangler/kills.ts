/**
 * Deployments under load lose no request. Then it repeatedly kills a server while Workers are uploaded to it, and
 * compares the running version after each restart with the acknowledged one: the old version or the new one, never
 * older than acknowledged, and never a mixture. The same for objects that go to another Worker, or come from a
 * directory.
 *
 *     node test/wrangler/kills.ts            # 20 kills
 *     GATEHOUSE_KILLS=200 npm run verify -- kills:deploy
 *     npm run verify -- kills:deploy --cluster      # a host of a cluster, on a PostgreSQL of its own
 */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../eventually.ts';
import { createEnvironment, isClustered, KilledSite, kills } from './kill-settings.ts';
import { createForm, domain, UploadSite } from './upload-site.ts';
// Its tests run with those of this file.
import './object-kills.ts';

/** Longer than an upload, a secret and a route take together on an idle machine. */
const workMsMax = 6_000;

/** The code returns its number twice, once from a separate module: a mixture of two versions would be detected. */
function createUpload(number: number): FormData {
  return createForm({
    code: `import other from './other.txt';
      export default { fetch: (request, env) => new Response(['${number}', other, env.KEY].join(' ')) };`,
    modules: { './other.txt': [String(number), 'text/plain'] },
  });
}

class Oracle {
  attempted = 0;
  acknowledged = 0;

  async tell(attempt: number, call: Promise<{ readonly success: boolean }>): Promise<void> {
    this.attempted = attempt;
    if ((await call).success) this.acknowledged = attempt;
  }

  check(what: string, found: number): void {
    const { acknowledged, attempted } = this;
    ok(
      found >= acknowledged && found <= attempted,
      `${what}: ${found}, told ${acknowledged} to ${attempted}`,
    );
    // The version in force stays.
    this.acknowledged = found;
    this.attempted = found;
  }
}

test(`a deployment survives ${kills} kills: what was acknowledged is there, and one version runs`, async (t) => {
  const killed = await KilledSite.start(t);
  const { directory } = killed;
  let { site } = killed;
  const { id: zone, name } = site.ready.zones[0]!;
  const [code, secret, route] = [new Oracle(), new Oracle(), new Oracle()];
  const put = (number: number): Promise<void> =>
    code.tell(number, site.call('PUT W/shop', createUpload(number)));
  const setKey = (number: number): Promise<void> =>
    secret.tell(
      number,
      site.call('PUT W/shop/secrets', { name: 'KEY', text: `${number}`, type: 'secret_text' }),
    );
  const setRoute = (number: number): Promise<void> =>
    route.tell(number, site.call('PUT W/shop/routes', [{ pattern: `${name}/route-${number}/*` }]));
  await put(1);
  await setKey(1);
  await setRoute(1);
  ok((await site.call('POST W/shop/subdomain', { enabled: true })).success);
  for (let kill = 0; kill < kills; kill++) {
    const work = (async () => {
      for (;;) {
        await put(code.attempted + 1);
        await setKey(secret.attempted + 1);
        await setRoute(route.attempted + 1);
      }
    })().catch(() => {});
    await delay(Math.random() * workMsMax);
    await killed.kill();
    await work;
    await killed.restart();
    site = killed.site;
    await eventually(async () => (await site.ask(`shop.${domain}`)).status === 200, 'it answers again');
    const body = await site.read('shop');
    match(body, /^(\d+) \1 \d+$/, 'modules of one version');
    const [number, , key] = body.split(' ').map(Number) as [number, number, number];
    code.check('the version', number);
    secret.check('the secret', key);
    const { result: routes } = await site.call(`GET /zones/${zone}/workers/routes`);
    equal(routes.length, 1);
    route.check('the route', Number(/route-(\d+)/.exec(routes[0].pattern)![1]));
    equal((await site.ask(name, `/route-${route.acknowledged}/a`)).body, body, 'the route leads to it');
    const { items } = (await site.call('GET W/shop/versions')).result as { items: readonly object[] };
    // Files of a cluster host are copies of versions that it has run.
    ok(
      isClustered || readdirSync(join(directory, 'data/worker-code')).length <= items.length,
      'no code of uploads that failed',
    );
    equal(readdirSync(join(directory, 'data/workers')).length, 1);
    t.diagnostic(`kill ${kill + 1}: version ${number}, secret ${key}, route ${route.acknowledged}`);
  }
});

/** The number of concurrent clients. */
const visitors = 16;
const deployments = 10;

test(`${deployments} deployments under load lose no request`, async (t) => {
  const site = await UploadSite.start(t, { environment: await createEnvironment(t) });
  ok((await site.call('PUT W/shop', createUpload(0))).success);
  ok((await site.call('PUT W/shop/secrets', { name: 'KEY', text: '1', type: 'secret_text' })).success);
  ok((await site.call('POST W/shop/subdomain', { enabled: true })).success);
  await eventually(async () => (await site.ask(`shop.${domain}`)).status === 200, 'it answers');
  const bad: string[] = [];
  const seen = new Set<string>();
  let count = 0;
  const over = new AbortController();
  const visits = Array.from({ length: visitors }, async () => {
    while (!over.signal.aborted) {
      const { status, body } = await site.ask(`shop.${domain}`).catch((error: Error) => ({
        status: 0,
        body: error.message,
      }));
      count++;
      if (status === 200 && /^(\d+) \1 1$/.test(body)) seen.add(body);
      else bad.push(`${status} ${body.slice(0, 100)}`);
    }
  });
  for (let number = 1; number <= deployments; number++) {
    ok((await site.call('PUT W/shop', createUpload(number))).success);
    await eventually(() => seen.has(`${number} ${number} 1`), `version ${number} answers`);
  }
  over.abort();
  await Promise.all(visits);
  deepEqual(bad, []);
  t.diagnostic(`${count} requests from ${visitors} visitors during ${deployments} deployments, none lost`);
});
