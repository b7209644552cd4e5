/** Rules that do more than block, and several origins, on two hosts of a cluster: what one is told, both do. */
import { deepEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { eventually } from '../eventually.ts';
import { PostgresServer } from './postgres-server.ts';
import { ServeHost } from './serve-host.ts';

let postgres: PostgresServer;
before(async () => {
  postgres = await PostgresServer.start();
});
after(() => postgres.stop());

test('hosts of a cluster redirect, rewrite, limit, lock and balance by the same rules, and each asks the origins', async (t) => {
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

  await one.insist(`PUT ${zone}/edge`, { origin: { url: `http://127.0.0.1:${port}` }, protect: false });
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
      period: 3_600,
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
      period: 3_600,
      requests_per_period: 3,
      mitigation_timeout: 3_600,
    },
  };
  await one.insist(`PUT ${zone}/rulesets/phases/http_ratelimit/entrypoint`, { rules: [limited, everywhere] });
  await one.insist(`POST ${zone}/firewall/lockdowns`, {
    urls: [`${name}/office`],
    configurations: [{ target: 'ip', value: '192.0.2.1' }],
  });
  const probe = { path: '/', expected_codes: '200', interval: 1, timeout: 1, retries: 0 };
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
  // Each host sees for itself, and any of them says what all see.
  await eventually(async () => {
    const { pop_health } = await other.insist(`GET ${account}/pools/${pool.id}/health`);
    const seen: { origins: Record<string, { failure_reason?: string }>[] }[] = Object.values(pop_health);
    const unwell = seen.filter(({ origins }) =>
      origins.some((each) => Object.values(each).some(({ failure_reason }) => failure_reason !== undefined)),
    );
    return unwell.length === 2;
  }, 'the health of the pool on both hosts');
  deepEqual([await one.visit(balanced), await other.visit(balanced)], [200, 200]);

  // What one counts, the other stops; who lets a key go, lets it go on both.
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
});
