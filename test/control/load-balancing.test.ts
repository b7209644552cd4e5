/** Monitors, pools and load balancers through the API. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Envelope, TestControl } from './harness.ts';
import { makeToken } from './token-maker.ts';

let control: TestControl;
let account: string;
let zone: string;
let zoneName: string;
before(async () => {
  control = await TestControl.open();
  account = `/accounts/${control.control.directory.accountId}/load_balancers`;
  zone = `/zones/${control.zone('enterprise')}/load_balancers`;
  zoneName = control.control.directory.zones.get(control.zone('enterprise'))!.name;
});
after(() => control.close());

const call = (route: string, body?: unknown): Promise<Envelope> => control.call(route, { body });
const origins = [{ name: 'one', address: '192.0.2.10', enabled: true }];

async function refusedBecause(route: string, body: unknown): Promise<unknown> {
  const { status, errors } = await call(route, body);
  return [status, errors[0]!.code, errors[0]!.source?.pointer ?? errors[0]!.message];
}

test('monitors have Cloudflare’s defaults, are changed in part or whole, and say why they are refused', async () => {
  const { status, result: made } = await call(`POST ${account}/monitors`, { expected_codes: '2xx' });
  equal(status, 200);
  const { id, created_on: _1, modified_on: _2, ...content } = made;
  deepEqual(content, {
    type: 'http',
    description: '',
    method: 'GET',
    path: '/',
    header: {},
    expected_body: '',
    expected_codes: '2xx',
    timeout: 5,
    retries: 2,
    interval: 60,
    follow_redirects: false,
    allow_insecure: false,
    probe_zone: '',
  });
  const edited = await call(`PATCH ${account}/monitors/${id}`, {
    path: '/health',
    header: { Host: ['a.example'] },
  });
  deepEqual([edited.result.path, edited.result.expected_codes], ['/health', '2xx']);
  const replaced = await call(`PUT ${account}/monitors/${id}`, { type: 'tcp', port: 22 });
  deepEqual(
    [replaced.result.method, replaced.result.path, replaced.result.port],
    ['connection_established', '', 22],
  );
  for (const [body, pointer] of [
    [{ type: 'icmp_ping' }, '/type'],
    [{ type: 'tcp' }, '/port'],
    [{ interval: 10 }, '/interval'],
    [{ path: 'health' }, '/path'],
    [{ path: '/a b' }, '/path'],
    [{ method: 'POST' }, '/method'],
    [{ expected_codes: 'ok' }, '/expected_codes'],
    [{ header: { 'Content-Length': ['1'] } }, '/header/Content-Length'],
    [{ header: { 'X-A': ['a\r\nb: c'] } }, '/header/X-A'],
  ] as const)
    deepEqual(
      await refusedBecause(`POST ${account}/monitors`, body),
      [400, 1002, pointer],
      JSON.stringify(body),
    );
  deepEqual((await call(`DELETE ${account}/monitors/${id}`)).result, { id });
  equal((await call(`GET ${account}/monitors/${id}`)).status, 404);
});

test('pools keep when an origin was disabled, refuse what the edge would not reach, and outlive what uses them', async () => {
  const monitor = (await call(`POST ${account}/monitors`, {})).result.id;
  const { result: pool } = await call(`POST ${account}/pools`, { name: 'primary', origins, monitor });
  deepEqual(
    [pool.enabled, pool.minimum_origins, pool.check_regions, pool.origins],
    [true, 1, null, [{ name: 'one', address: '192.0.2.10', enabled: true, weight: 1, flatten_cname: true }]],
  );
  const path = `${account}/pools/${pool.id}`;
  const disabled = await call(`PATCH ${path}`, { origins: [{ ...origins[0], enabled: false }] });
  match(disabled.result.origins[0].disabled_at, /^20/);
  const again = await call(`PATCH ${path}`, { description: 'other', origins: disabled.result.origins });
  equal(again.result.origins[0].disabled_at, disabled.result.origins[0].disabled_at);
  await call(`PUT ${path}`, { name: 'primary', origins, monitor });
  for (const [body, pointer] of [
    [{ name: 'primary', origins }, '/name'],
    [{ name: 'x', origins: [{ name: 'a', address: 'http://a' }] }, '/origins/0/address'],
    [{ name: 'x', origins: [...origins, ...origins] }, '/origins/1'],
    [{ name: 'x', origins, minimum_origins: 2 }, '/minimum_origins'],
    [{ name: 'x', origins, monitor: 'f'.repeat(32) }, '/monitor'],
    [
      { name: 'x', origins: [{ name: 'a', address: 'a.example', header: { Host: ['a b'] } }] },
      '/origins/0/header/Host',
    ],
  ] as const)
    deepEqual(
      await refusedBecause(`POST ${account}/pools`, body),
      [400, 1002, pointer],
      JSON.stringify(body),
    );
  deepEqual(await refusedBecause(`POST ${account}/pools`, { name: 'x', origins: [{ ...origins[0], weight: 2 }] }), [
    400,
    10026,
    '/origins/0/weight',
  ]); // prettier-ignore

  // A change of one is checked together with the pool's value of the other.
  const two = [...origins, { name: 'two', address: '192.0.2.11' }];
  equal((await call(`PATCH ${path}`, { origins: two, minimum_origins: 2 })).status, 200);
  deepEqual(await refusedBecause(`PATCH ${path}`, { origins }), [400, 1002, '/minimum_origins']);
  deepEqual(await refusedBecause(`PATCH ${path}`, { minimum_origins: 3 }), [400, 1002, '/minimum_origins']);
  await call(`PUT ${path}`, { name: 'primary', origins, monitor });

  const body = { name: `www.${zoneName}`, default_pools: [pool.id], fallback_pool: pool.id };
  const { result: balancer } = await call(`POST ${zone}`, body);
  deepEqual((await call(`GET ${path}/references`)).result, [
    {
      reference_type: 'referrer',
      resource_id: balancer.id,
      resource_name: body.name,
      resource_type: 'load_balancer',
    },
  ]);
  deepEqual(await refusedBecause(`DELETE ${path}`, undefined), [
    412,
    1005,
    `the pool is in use by load_balancer ${body.name}: precondition failed`,
  ]);
  deepEqual(
    ((await refusedBecause(`DELETE ${account}/monitors/${monitor}`, undefined)) as unknown[])[0],
    412,
  );
  equal((await call(`GET ${account}/pools?monitor=${monitor}`)).result.length, 1);
  await call(`DELETE ${zone}/${balancer.id}`);
  equal((await call(`DELETE ${path}`)).status, 200);
  equal((await call(`DELETE ${account}/monitors/${monitor}`)).status, 200);
});

test('load balancers are of their zone, go with it, and refuse what one place cannot do', async () => {
  const pool = (await call(`POST ${account}/pools`, { name: 'balanced', origins })).result.id;
  const body = { name: `app.${zoneName}`, default_pools: [pool], fallback_pool: pool, proxied: true };
  const { result: made } = await call(`POST ${zone}`, { ...body, session_affinity: 'cookie' });
  deepEqual(
    [made.zone_name, made.session_affinity_ttl, made.steering_policy, made.rules, made.enabled],
    [zoneName, 82_800, '', [], true],
  );
  for (const [more, pointer] of [
    [{ name: 'www.elsewhere.example' }, '/name'],
    [{ name: body.name.toUpperCase() }, '/name'],
    [{ default_pools: ['f'.repeat(32)] }, '/default_pools/0'],
    [{ region_pools: { WEU: ['f'.repeat(32)] } }, '/region_pools/WEU/0'],
    [{ rules: [{ name: 'x' }] }, '/rules'],
    [{ session_affinity: 'header' }, '/session_affinity_attributes/headers'],
  ] as const)
    deepEqual(
      await refusedBecause(`POST ${zone}`, { ...body, ...more }),
      [400, 1002, pointer],
      JSON.stringify(more),
    );
  const other = `/zones/${control.zone('pro')}/load_balancers/${made.id}`;
  equal((await call(`GET ${other}`)).status, 404);
  const edited = await call(`PATCH ${zone}/${made.id}`, { enabled: false, steering_policy: 'random' });
  deepEqual([edited.result.enabled, edited.result.session_affinity], [false, 'cookie']);
  const part = await control.control.configurations.readAccount(undefined);
  deepEqual(part!.loadBalancers, [], 'one that is disabled is served by the origin of the zone');

  const { result: site } = await call('POST /zones', {
    name: 'gone.example',
    account: { id: control.control.directory.accountId },
  });
  await call(`POST /zones/${site.id}/load_balancers`, { ...body, name: 'gone.example' });
  await call(`DELETE /zones/${site.id}`);
  const { result: references } = await call(`GET ${account}/pools/${pool}/references`);
  deepEqual(
    references.map((each: { resource_name: string }) => each.resource_name),
    [body.name],
  );
});

test('pools.health shows what hosts said, and pools.events the changes', async () => {
  const pool = (await call(`POST ${account}/pools`, { name: 'watched', origins })).result.id;
  deepEqual((await call(`GET ${account}/pools/${pool}/health`)).result, { pool_id: pool, pop_health: {} });
  const report = { poolId: pool, origin: 'one', address: '192.0.2.10', status: 200, rttMs: 1.6, reason: '' };
  const say = (isHealthy: boolean, reason: string, sinceMs: number): Promise<void> =>
    control.control.noteOriginHealth([{ ...report, isHealthy, reason, sinceMs }]);
  await say(true, '', 1_000);
  await say(false, 'status 500 is not 2xx', 2_000);
  await say(false, 'status 500 is not 2xx', 2_000);
  const { result } = await call(`GET ${account}/pools/${pool}/health`);
  const [[, seen]] = Object.entries(result.pop_health) as [
    [string, { healthy: boolean; origins: unknown[] }],
  ];
  deepEqual(seen, {
    healthy: false,
    origins: [
      {
        '192.0.2.10': {
          healthy: false,
          rtt: '2ms',
          failure_reason: 'status 500 is not 2xx',
          response_code: 200,
          since: '1970-01-01T00:00:02.000000Z',
        },
      },
    ],
  });
  await say(true, '', 3_000);
  const { result: events } = await call(`GET ${account}/pools/${pool}/events`);
  deepEqual(
    events.map(({ origin }: { origin: { healthy: boolean } }) => origin.healthy),
    [true, false],
  );
  // A standalone edge reports the same.
  const body = { pop: 'far', origins: [{ pool_id: pool, origin: 'one', address: '192.0.2.10', healthy: false, reason: 'ECONNREFUSED', status: 0, rtt_ms: 3.5, since_ms: 4_000 }] }; // prettier-ignore
  equal(
    (await call(`POST /accounts/${control.control.directory.accountId}/edge/health`, body)).result.count,
    1,
  );
  const { result: both } = await call(`GET ${account}/pools/${pool}/health`);
  equal(both.pop_health.far.origins[0]['192.0.2.10'].failure_reason, 'ECONNREFUSED');
  equal(Object.keys(both.pop_health).length, 2);
});

test('the bundle of a zone has its load balancers with their pools and monitors, and an import brings them along', async () => {
  const from = `/zones/${control.zone('business')}`;
  const to = `/zones/${control.zone('pro')}`;
  const nameOf = (plan: 'business' | 'pro'): string =>
    control.control.directory.zones.get(control.zone(plan))!.name;
  const [fromName, toName] = [nameOf('business'), nameOf('pro')];
  const { result: monitor } = await call(`POST ${account}/monitors`, { path: '/bundled' });
  const { result: pool } = await call(`POST ${account}/pools`, {
    name: 'bundled',
    origins,
    monitor: monitor.id,
  });
  const content = {
    name: `bundled.${fromName}`,
    default_pools: [pool.id],
    fallback_pool: pool.id,
    steering_policy: 'random',
    random_steering: { default_weight: 0.5, pool_weights: { [pool.id]: 1 } },
  };
  equal((await call(`POST ${from}/load_balancers`, content)).status, 200);
  const { result: bundle } = await call(`GET ${from}/export`);
  const { load_balancing: part } = bundle;
  deepEqual(Object.keys(part.pools), [pool.id]);
  equal(part.monitors[monitor.id].path, '/bundled');
  equal((await call(`GET ${to}/export`)).result.load_balancing, undefined);

  // Imported into the same zone, it changes nothing.
  const itself = await call(`POST ${from}/import?mode=replace`, bundle);
  deepEqual(itself.result.changes.load_balancers, {
    added: 0,
    changed: 0,
    removed: 0,
    kept: part.load_balancers.length,
  });
  deepEqual((await call(`GET ${from}/export`)).result, bundle);

  // A dry run counts; then another zone has them under its own name, with the existing pool.
  const small = { format: bundle.format, version: 1, zone: bundle.zone, load_balancing: part };
  const trial = await call(`POST ${to}/import?dry_run=true`, small);
  deepEqual(trial.result.changes.load_balancers.added, 1);
  equal((await call(`GET ${to}/load_balancers`)).result.length, 0);
  const { result } = await call(`POST ${to}/import`, small);
  const { pools: keptPools, monitors: keptMonitors, load_balancers: added } = result.changes;
  deepEqual([keptPools.kept, keptMonitors.kept, added.added], [1, 1, 1]);
  const [copied] = (await call(`GET ${to}/load_balancers`)).result;
  deepEqual([copied.name, copied.default_pools], [`bundled.${toName}`, [pool.id]]);

  // Resources that the account lacks are created, with new ids.
  const other = { ...part.pools[pool.id], name: 'elsewhere', monitor: 'm' };
  const foreign = {
    monitors: { m: { path: '/foreign' } },
    pools: { p: other },
    load_balancers: [{ name: `foreign.${fromName}`, default_pools: ['p'], fallback_pool: 'p' }],
  };
  const replaced = await call(`POST ${to}/import?mode=replace`, { ...small, load_balancing: foreign });
  deepEqual(replaced.result.changes.load_balancers, { added: 1, changed: 0, removed: 1, kept: 0 });
  const [fresh] = (await call(`GET ${to}/load_balancers`)).result;
  const { result: made } = await call(`GET ${account}/pools/${fresh.default_pools[0]}`);
  equal((await call(`GET ${account}/monitors/${made.monitor}`)).result.path, '/foreign');

  // Errors are reported before anything is changed, in the zone as well.
  const wrong = {
    ...foreign,
    load_balancers: [{ ...foreign.load_balancers[0], default_pools: ['nowhere'] }],
  };
  const both = { ...small, page_rules: [], load_balancing: wrong };
  deepEqual(await refusedBecause(`POST ${to}/import?mode=replace`, both), [
    400,
    1002,
    '/load_balancing/load_balancers/0/default_pools/0',
  ]);
  const { headers } = await makeToken(control, { groups: ['Zone Settings Write'] });
  const shown = await control.call(`GET ${from}/export`, { headers });
  deepEqual(
    [shown.result.load_balancing, shown.messages.some(({ code }) => code === 10821)],
    [undefined, true],
  );
  const refused = await control.call(`POST ${from}/import`, { headers, body: small });
  deepEqual([refused.status, refused.errors[0]?.source?.pointer], [403, '/load_balancing']);
});

test('what needs data centres is kept and returned, with a message that it does nothing', async () => {
  const codesOf = (answer: { messages: readonly { code: number }[] }) =>
    answer.messages.map(({ code }) => code);
  const load_shedding = {
    default_percent: 10,
    default_policy: 'random',
    session_percent: 5,
    session_policy: 'hash',
  };
  const near = await call(`POST ${account}/pools`, { name: 'near', origins, load_shedding });
  const far = await call(`POST ${account}/pools`, { name: 'far', origins });
  deepEqual([near.result.load_shedding, codesOf(near), codesOf(far)], [load_shedding, [1006], []]);
  const sent = {
    steering_policy: 'geo',
    region_pools: { WNAM: [far.result.id] },
    country_pools: {},
    pop_pools: {},
    location_strategy: { mode: 'resolver_ip', prefer_ecs: 'always' },
    networks: ['internet'],
  };
  const pool = near.result.id;
  const body = { name: `geo.${zoneName}`, default_pools: [pool], fallback_pool: pool, ...sent };
  const made = await call(`POST ${zone}`, body);
  deepEqual([made.status, codesOf(made)], [200, [1006, 1006, 1006]]);
  const read = await call(`GET ${zone}/${made.result.id}`);
  for (const [field, value] of Object.entries(sent)) deepEqual(read.result[field], value, field);
  const again = await call(`PUT ${zone}/${made.result.id}`, read.result);
  deepEqual([again.status, again.result.region_pools], [200, sent.region_pools]);
  // A pool that only `region_pools` refers to also counts as in use.
  equal((await call(`DELETE ${account}/pools/${far.result.id}`)).errors[0]!.code, 1005);
});
