/**
 * Rules that do more than block, several origins, and reports to others, on two hosts of a cluster: both hosts apply
 * what one is configured with, and single tasks are done once, even when a host is killed.
 */
import { deepEqual, equal } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test, type TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { eventually } from '../eventually.ts';
import { PostgresServer } from './postgres-server.ts';
import { blockPath, ServeHost } from './serve-host.ts';

let postgres: PostgresServer;
before(async () => {
  postgres = await PostgresServer.start();
});
after(() => postgres.stop());

test('hosts of a cluster redirect, rewrite, limit, lock, balance and learn by the same rules, and each asks the origins', async (t) => {
  const origin = createServer(({ url }, response) => {
    response.statusCode = url === '/rewritten' ? 207 : 200;
    response.end();
  });
  await once(origin.listen(0, '127.0.0.1'), 'listening');
  t.after(() => origin.close());
  const { port } = origin.address() as AddressInfo;
  const url = await postgres.createDatabase();
  const { host: one } = await ServeHost.start(t, url);
  const { host: other } = await ServeHost.start(t, url, one.ready.token);
  const { id, name } = one.ready.zones.find(({ plan }) => plan === 'enterprise')!;
  const zone = `/zones/${id}`;
  const account = `/accounts/${one.ready.account_id}/load_balancers`;
  const put = (phase: string, rule: object): Promise<unknown> =>
    one.insist(`PUT ${zone}/rulesets/phases/${phase}/entrypoint`, { rules: [rule] });
  const on = (path: string): string => `http.request.uri.path eq "${path}"`;

  await one.insist(`PUT ${zone}/edge`, {
    origin: { url: `http://127.0.0.1:${port}` },
    protect: false,
    learning: 'watching',
  });
  await put('http_request_dynamic_redirect', {
    action: 'redirect',
    expression: on('/moved'),
    action_parameters: {
      from_value: { target_url: { value: 'https://elsewhere.example/' }, status_code: 308 },
    },
  });
  await put('http_request_transform', {
    action: 'rewrite',
    expression: on('/old'),
    action_parameters: { uri: { path: { value: '/rewritten' } } },
  });
  const limited = {
    action: 'block',
    expression: on('/limited'),
    ratelimit: {
      characteristics: ['cf.colo.id', 'ip.src'],
      period: 65_535,
      requests_per_period: 1,
      mitigation_timeout: 3_600,
    },
  };
  // All hosts count it together; requests for the path that is stopped do not count.
  const everywhere = {
    action: 'block',
    expression: on('/everywhere'),
    ratelimit: {
      characteristics: ['ip.src'],
      counting_expression: on('/counted'),
      period: 65_535,
      requests_per_period: 3,
      mitigation_timeout: 3_600,
    },
  };
  await one.insist(`PUT ${zone}/rulesets/phases/http_ratelimit/entrypoint`, { rules: [limited, everywhere] });
  await one.insist(`POST ${zone}/firewall/lockdowns`, {
    urls: [`${name}/office`],
    configurations: [{ target: 'ip', value: '192.0.2.1' }],
  });
  const probe = { path: '/', expected_codes: '200', interval: 5, timeout: 5, retries: 0 };
  const monitor = await one.insist(`POST ${account}/monitors`, probe);
  const gone = { name: 'gone', address: '127.0.0.1', port: 1 };
  const pool = await one.insist(`POST ${account}/pools`, {
    name: 'pool',
    origins: [{ name: 'here', address: '127.0.0.1', port }, gone],
    monitor: monitor.id,
  });
  const balanced = `www.${name}`;
  await one.insist(`POST ${zone}/load_balancers`, {
    name: balanced,
    default_pools: [pool.id],
    fallback_pool: pool.id,
  });

  for (const host of [one, other]) {
    const answersWith = (path: string, status: number): Promise<void> =>
      eventually(async () => (await host.visit(name, path)) === status, `${path}: ${status}`);
    await answersWith('/moved', 308);
    await answersWith('/old', 207);
    await answersWith('/limited', 429);
    await answersWith('/office', 403);
    await eventually(async () => (await host.visit(balanced)) === 200, 'the pool');
  }
  for (let id = 0; id < 20; id++) await [one, other][id % 2]!.visit(name, `/product/${id}?id=${id}`);

  // Each host checks on its own, and any of them reports the results of all.
  await eventually(async () => {
    const { pop_health } = await other.insist(`GET ${account}/pools/${pool.id}/health`);
    const seen: { origins: Record<string, { failure_reason?: string }>[] }[] = Object.values(pop_health);
    const unwell = seen.filter(({ origins }) =>
      origins.some((each) => Object.values(each).some(({ failure_reason }) => failure_reason !== undefined)),
    );
    return unwell.length === 2;
  }, 'the health of the pool on both hosts');
  deepEqual([await one.visit(balanced), await other.visit(balanced)], [200, 200]);

  // A key counted by one host is stopped by the other; releasing a key releases it on both.
  for (let visits = 0; visits < 4; visits++) await one.visit(name, '/counted');
  for (const host of [one, other])
    await eventually(async () => (await host.visit(name, '/everywhere')) === 429, 'counted together');
  const keys = `${zone}/rate_limit_keys`;
  let keyId: string | undefined;
  await eventually(async () => {
    const shown: { id: string; limit: number; host: string; stopped_until: string | null }[] =
      await other.insist(`GET ${keys}`);
    const stopped = shown.filter((key) => key.limit === 3 && key.stopped_until !== null);
    keyId = stopped[0]?.id;
    return new Set(stopped.map((key) => key.host)).size === 2;
  }, 'the key on both hosts');
  await other.insist(`DELETE ${keys}/${keyId}`);
  for (const host of [one, other])
    await eventually(async () => (await host.visit(name, '/everywhere')) === 200, 'let go');

  // The zone learns from the requests of all hosts, returns the same on each, and forgets for all.
  const learned = async (host: ServeHost): Promise<unknown[]> => {
    const { requests, values } = await host.insist(`GET ${zone}/learning`);
    return [requests, values];
  };
  await eventually(async () => (await learned(one))[0] === 20, 'what both hosts have learned');
  deepEqual(await learned(other), [20, 1]);
  const [value] = await other.insist(`GET ${zone}/learning/values`);
  deepEqual([value.path, value.name, value.requests], ['/product/{number}', 'id', 20]);
  await other.insist(`DELETE ${zone}/learning`);
  deepEqual(
    [await learned(one), await learned(other)],
    [
      [0, 0],
      [0, 0],
    ],
  );
});

interface Told {
  readonly place: string;
  /** By job and batch, in order of arrival. */
  readonly batches: Map<string, string[]>;
  /** How often each list was requested. */
  readonly asked: Map<string, number>;
  /** The accepted notifications, and what happens to the next one. */
  readonly taken: string[];
  hookStatus: number;
}

/** A receiver of records and notifications, which also publishes lists. */
async function startOthers(t: TestContext): Promise<Told> {
  const batches = new Map<string, string[]>();
  const asked = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
    const { url = '' } = request;
    if (url.startsWith('/list')) {
      const times = (asked.get(url) ?? 0) + 1;
      asked.set(url, times);
      return void response.end(`192.0.2.${times % 250}\n`);
    }
    if (url === '/hook') {
      response.statusCode = told.hookStatus;
      if (told.hookStatus === 200) told.taken.push(JSON.parse(body.toString()).alert_correlation_id);
      return void response.end();
    }
    const id = request.headers['gatehouse-batch'] as string;
    equal(batches.has(id), false, `the batch ${id} comes once`);
    const records = gunzipSync(body).toString().trimEnd().split('\n');
    batches.set(
      id,
      records.map((line) => (JSON.parse(line) as { readonly RayID: string }).RayID),
    );
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const place = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const told: Told = { place, batches, asked, taken: [], hookStatus: 500 };
  return told;
}

test('hosts of a cluster send records and notifications once, ask the sources of lists once, and go on when one is killed', async (t) => {
  const told = await startOthers(t);
  const url = await postgres.createDatabase();
  // It has the object of the account, which does the tasks that are done once.
  const { host: first, server: killed } = await ServeHost.run(t, url);
  const { host: other } = await ServeHost.start(t, url, first.ready.token);
  const { id, name } = first.ready.zones.find(({ plan }) => plan === 'enterprise')!;
  const account = `/accounts/${first.ready.account_id}`;

  const list = async (path: string, interval_seconds: number): Promise<string> => {
    const made = await other.insist(`POST ${account}/rules/lists`, { name: path, kind: 'ip' });
    const source = `${account}/rules/lists/${made.id}/source`;
    await other.insist(`PUT ${source}`, { kind: 'url', url: `${told.place}/list/${path}`, interval_seconds });
    await eventually(() => told.asked.has(`/list/${path}`), 'the source is asked');
    return source;
  };
  const often = await list('often', 10);
  await list('seldom', 604_800);

  const hook = { name: 'chat', url: `${told.place}/hook` };
  const webhook = await other.insist(`POST ${account}/alerting/v3/destinations/webhooks`, hook);
  await other.insist(`POST ${account}/alerting/v3/policies`, {
    name: 'origins',
    alert_type: 'real_origin_monitoring',
    enabled: true,
    mechanisms: { webhooks: [{ id: webhook.id }] },
  });
  await other.insist(`PUT /zones/${id}/edge`, { origin: { url: 'http://127.0.0.1:1' }, protect: false });
  const history = async (): Promise<{ readonly mechanism: string }[]> =>
    await other.insist(`GET ${account}/alerting/v3/history`);
  for (const host of [first, other])
    await eventually(async () => (await host.visit(name, '/gone')) === 502, 'the origin is away');
  await eventually(async () => {
    await Promise.all([first, other].map((host) => host.visit(name, '/gone')));
    return (await history()).length > 0;
  }, 'a notification');

  await other.insist(`POST /zones/${id}/security/views`, { name: 'mine', search: { since: '24h' } });
  await other.insist(`POST /zones/${id}/logpush/jobs`, {
    dataset: 'firewall_events',
    destination_conf: `${told.place}/in`,
    enabled: true,
    output_options: { field_names: ['RayID'] },
  });
  await other.insist(`POST /zones/${id}/firewall/rules`, blockPath('/blocked'));
  /** Hosts learn of rules and jobs some time after their creation. */
  const sendsFrom = async (host: ServeHost): Promise<void> => {
    const before = told.batches.size;
    await eventually(async () => {
      await host.visit(name, '/blocked');
      return told.batches.size > before;
    }, 'a batch of records');
  };
  await sendsFrom(first);
  await sendsFrom(other);

  killed.process.kill('SIGKILL');
  // The notification waits in the database until the receiver takes it.
  told.hookStatus = 200;
  await sendsFrom(other);
  const rays = [...told.batches.values()].flat();
  equal(new Set(rays).size, rays.length, 'each record comes once');
  const before = told.asked.get('/list/often')!;
  await eventually(
    () => told.asked.get('/list/often')! > before,
    'the source is asked by the host that is left',
  );
  await eventually(async () => (await other.insist(`GET ${often}`)).problem === null, 'its items are used');
  equal(told.asked.get('/list/seldom'), 1);
  const views: { readonly name: string }[] = await other.insist(`GET /zones/${id}/security/views`);
  deepEqual(
    views.map((view) => view.name),
    ['mine'],
  );
  await eventually(async () => told.taken.length >= (await history()).length, 'the notifications arrive');
  equal(new Set(told.taken).size, told.taken.length, 'each notification comes once');
});
