/** `gatehouse edge` beside a control plane that comes and goes. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { mkdirSync } from 'node:fs';
import { test } from 'node:test';
import { permissionGroups } from '#contract';
import { listHistory, openLiveAccess, restoreObject } from '#operator';
import { eventually } from '../eventually.ts';
import { Gatehouse, type ReadyFacts, temporary } from '../server/gatehouse.ts';
import { TestOrigin } from './test-origin.ts';

async function call(ready: ReadyFacts, route: string, body?: unknown): Promise<{ result: never }> {
  const [method, path] = route.split(' ') as [string, string];
  const answer = await fetch(ready.api + path, {
    method,
    headers: { authorization: `Bearer ${ready.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const envelope = (await answer.json()) as { success: boolean; result: never };
  ok(envelope.success, JSON.stringify(envelope));
  return envelope;
}

async function statusOf(edge: string, host: string, path: string): Promise<number> {
  const outgoing = request({
    port: new URL(edge).port,
    host: '127.0.0.1',
    agent: false,
    path,
    headers: { host },
  });
  outgoing.end();
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode!;
}

test('gatehouse edge serves zones of a remote control plane, and continues and starts without it', async (t) => {
  await using origin = await TestOrigin.listen();
  const directory = temporary(t);
  for (const name of ['control', 'edge']) mkdirSync(join(directory, name));
  const controlArgs = ['--edge-port', 'off', '--admin-port', '0'];
  const controlDirectory = join(directory, 'control');
  const first = await Gatehouse.start(t, { directory: controlDirectory, args: controlArgs });
  const { ready } = first;
  const { id, name } = ready.zones.find(({ plan }) => plan === 'enterprise')!;
  const { result: token } = (await call(ready, 'POST /user/tokens', {
    name: 'edge',
    policies: [
      {
        effect: 'allow',
        permission_groups: [{ id: permissionGroups.accountEdgeWrite.id }],
        resources: { [`com.cloudflare.api.account.${ready.account_id}`]: '*' },
      },
    ],
  })) as { result: { value: string } };
  const edgeStart = {
    command: 'edge',
    directory: join(directory, 'edge'),
    args: ['--control', ready.api, '--allow-private-origins', 'true', '--admin-port', '0'],
    environment: { GATEHOUSE_CONTROL_TOKEN: token.value },
  } as const;
  const started = await Gatehouse.start(t, edgeStart);
  const { edge, admin } = started.ready as unknown as { edge: string; admin: string };
  equal(await statusOf(edge, name, '/'), 503);
  equal(await statusOf(edge, 'nobody.example', '/'), 421);
  equal((await fetch(`${admin}/readyz`)).status, 200);

  await call(ready, `PUT /zones/${id}/edge`, { origin: { url: origin.url } });
  await call(ready, `POST /zones/${id}/firewall/rules`, [
    { action: 'block', filter: { expression: 'http.request.uri.path eq "/no"' } },
  ]);
  await eventually(async () => (await statusOf(edge, name, '/no')) === 403);
  equal(await statusOf(edge, name, '/yes'), 200);
  const events = async (): Promise<readonly { action: string }[]> =>
    (await call(ready, `GET /zones/${id}/security/events`)).result;
  await eventually(async () => (await events()).length > 0);
  equal((await events())[0]!.action, 'block');

  // It checks the origins of pools, marks them, and reports its counts.
  const balancing = `/accounts/${ready.account_id}/load_balancers`;
  const probe = { path: '/', expected_codes: '2xx', interval: 1, timeout: 1, retries: 0 };
  const { id: monitor } = (await call(ready, `POST ${balancing}/monitors`, probe)).result as { id: string };
  const gone = { name: 'gone', address: '127.0.0.1', port: 1 };
  const here = { name: 'here', address: '127.0.0.1', port: Number(new URL(origin.url).port) };
  const pool = (
    await call(ready, `POST ${balancing}/pools`, { name: 'pool', origins: [here, gone], monitor })
  ).result as { id: string };
  await call(ready, `POST /zones/${id}/load_balancers`, {
    name: `www.${name}`,
    default_pools: [pool.id],
    fallback_pool: pool.id,
  });
  await eventually(async () => {
    const health = (await call(ready, `GET ${balancing}/pools/${pool.id}/health`)).result;
    return JSON.stringify(health).includes('failure_reason');
  }, 'what the edge knows of the pool');
  await eventually(async () => (await statusOf(edge, `www.${name}`, '/')) === 200);
  await call(ready, `PUT /zones/${id}/rulesets/phases/http_ratelimit/entrypoint`, {
    rules: [
      {
        action: 'block',
        expression: 'http.request.uri.path eq "/limited"',
        ratelimit: {
          characteristics: ['ip.src'],
          period: 3_600,
          requests_per_period: 1,
          mitigation_timeout: 600,
        },
      },
    ],
  });
  await eventually(async () => (await statusOf(edge, name, '/limited')) === 429);
  const keysPath = `/zones/${id}/rate_limit_keys`;
  let keys: readonly { id: string }[] = [];
  await eventually(async () => {
    keys = (await call(ready, `GET ${keysPath}`)).result;
    return keys.length > 0;
  }, 'its keys');
  await call(ready, `DELETE ${keysPath}/${keys[0]!.id}`);
  await eventually(async () => (await statusOf(edge, name, '/limited')) === 200, 'the key that was let go');

  // The control plane stops; the edge continues, and restarts without it.
  equal(await first.server.end('SIGTERM'), 0);
  await started.server.said(
    /could not read the configuration feed|control plane ended the configuration feed/,
  );
  deepEqual([await statusOf(edge, name, '/no'), await statusOf(edge, name, '/yes')], [403, 200]);
  await started.server.end('SIGKILL');
  const again = await Gatehouse.start(t, edgeStart);
  const { edge: edgeAgain } = again.ready as unknown as { edge: string };
  deepEqual([await statusOf(edgeAgain, name, '/no'), await statusOf(edgeAgain, name, '/yes')], [403, 200]);

  // The control plane restarts: waiting events arrive, and changes are in force.
  const { port } = new URL(ready.api);
  const second = await Gatehouse.start(t, {
    directory: controlDirectory,
    args: [...controlArgs, '--port', port],
  });
  await eventually(async () => (await events()).length >= 2);
  await using access = (await openLiveAccess(join(controlDirectory, 'data')))!;
  const place = { class_name: 'Zone', object: id };
  const [before] = await Array.fromAsync(listHistory(access, place, { limit: 1, at: undefined }));
  await call(ready, `POST /zones/${id}/firewall/rules`, [
    { action: 'block', filter: { expression: 'http.request.uri.path eq "/later"' } },
  ]);
  await eventually(async () => (await statusOf(edgeAgain, name, '/later')) === 403);
  // So are those that an operator makes on the machine of the control plane.
  await restoreObject(access, place, { at: { bookmark: before!.bookmark } });
  await eventually(async () => (await statusOf(edgeAgain, name, '/later')) === 200);
  equal(await again.server.end('SIGTERM'), 0);
  // It counted its requests while the control plane was stopped, and has reported them before it exited.
  const { totals } = (await call(ready, `GET /zones/${id}/traffic`)).result as {
    readonly totals: { readonly verdicts: Readonly<Record<string, number>> };
  };
  ok(totals.verdicts['blocked']! >= 2 && totals.verdicts['forwarded']! >= 1, JSON.stringify(totals));
  equal(await second.server.end('SIGTERM'), 0);
});

test('gatehouse edge says what it needs', async (t) => {
  const directory = temporary(t);
  const bare = new Gatehouse(t, { command: 'edge', directory });
  equal(await bare.exited, 2);
  match(bare.stderr, /gatehouse edge needs control: the URL of an API/);
  const tokenless = new Gatehouse(t, {
    command: 'edge',
    directory,
    args: ['--control', 'http://127.0.0.1:1/client/v4'],
  });
  equal(await tokenless.exited, 2);
  match(tokenless.stderr, /needs GATEHOUSE_CONTROL_TOKEN/);
});
