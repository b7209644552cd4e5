/** `gatehouse serve` as users and pipelines run it: real processes, real sockets, real files. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { once } from 'node:events';
import { test } from 'node:test';
import { eventually } from '../eventually.ts';
import { Gatehouse, type ReadyFacts, temporary } from './gatehouse.ts';

async function call(
  ready: ReadyFacts,
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; body: any }> {
  const headers = { authorization: `Bearer ${ready.token}`, 'content-type': 'application/json' };
  const response = await fetch(`${ready.api}${path}`, { headers, ...init });
  return { status: response.status, body: await response.json() };
}

function textOf(url: string): Promise<string> {
  return fetch(url).then((response) => response.text());
}

function rootOf({ api }: ReadyFacts): string {
  return api.replace('/client/v4', '');
}

test('gatehouse serve writes a ready file with which a client can work at once', async (t) => {
  const directory = temporary(t);
  const { server, ready } = await Gatehouse.start(t, { directory });
  assert.match(ready.api, /^http:\/\/127\.0\.0\.1:\d+\/client\/v4$/);
  assert.equal(statSync(join(directory, 'ready.json')).mode & 0o777, 0o600);
  assert.deepEqual(ready.zones.map(({ plan }) => plan).toSorted(), ['business', 'enterprise', 'free', 'pro']);
  const zones = await call(ready, '/zones');
  assert.equal(zones.status, 200);
  const byId = (one: { id: string }, other: { id: string }): number => one.id.localeCompare(other.id);
  assert.deepEqual(
    (zones.body.result as { id: string }[]).toSorted(byId).map(({ id }) => id),
    ready.zones.toSorted(byId).map(({ id }) => id),
  );
  const keyed = await fetch(`${ready.api}/user`, {
    headers: { 'x-auth-email': ready.email, 'x-auth-key': ready.key! },
  });
  assert.equal(keyed.status, 200);
  assert.equal(await textOf(`${rootOf(ready)}/readyz`), 'ok\n');
  assert.equal(await server.end('SIGTERM'), 0);
  // With a ready file the secrets are only in it.
  assert.doesNotMatch(server.stdout + server.stderr, new RegExp(`${ready.token}|${ready.key}`));
  for (const line of server.stderr.trimEnd().split('\n')) assert.ok(JSON.parse(line).level);
});

test('gatehouse serve prints the secrets at the first start only, and never keeps them', async (t) => {
  const directory = temporary(t);
  const args = ['--port', '0', '--log-format', 'text'];
  const first = new Gatehouse(t, { directory, args });
  await first.said(/ready/);
  await first.end('SIGINT');
  const token = /^ {2}token {4}(\S+)$/m.exec(first.stdout)![1]!;
  const key = /^ {2}key {6}(\S+)$/m.exec(first.stdout)![1]!;
  assert.match(first.stdout, /export CLOUDFLARE_BASE_URL='http:\/\/127\.0\.0\.1:\d+\/client\/v4'/);
  assert.match(first.stdout, /curl -H "\$AUTHORIZATION" "\$API\/zones"/);
  assert.match(first.stderr, /^\S+ info {2}ready api=http/m);

  const second = new Gatehouse(t, { directory, args });
  await second.said(/ready/);
  // Its output and its log are separate streams.
  await eventually(() => /API on \S+\s/.test(second.stdout), 'where its API is');
  const api = /API on (\S+)/.exec(second.stdout)![1]!;
  const response = await fetch(`${api}/zones`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal(response.status, 200);
  await second.end('SIGINT');
  assert.doesNotMatch(second.stdout + second.stderr, new RegExp(`${token}|${key}`));
  for (const name of readdirSync(join(directory, 'data'), { recursive: true, encoding: 'utf8' })) {
    const path = join(directory, 'data', name);
    if (!statSync(path).isFile()) continue;
    const content = readFileSync(path, 'latin1');
    assert.ok(!content.includes(token) && !content.includes(key), `${name} holds a secret`);
  }
});

test('gatehouse serve keeps what was acknowledged through kill -9, and the ready file its valid secrets', async (t) => {
  const directory = temporary(t);
  const { server, ready } = await Gatehouse.start(t, { directory });
  const zone = ready.zones[0]!.id;
  const body = JSON.stringify([{ expression: 'http.host eq "kept.example"' }]);
  const created = await call(ready, `/zones/${zone}/filters`, { method: 'POST', body });
  assert.equal(created.body.success, true);
  await server.end('SIGKILL');

  const again = await Gatehouse.start(t, { directory });
  assert.deepEqual(
    [again.ready.token, again.ready.key, again.ready.account_id],
    [ready.token, ready.key, ready.account_id],
  );
  const kept = await call(again.ready, `/zones/${zone}/filters/${created.body.result[0].id}`);
  assert.equal(kept.body.result.expression, 'http.host eq "kept.example"');
  await again.server.end('SIGKILL');

  // Secrets of another server are not reused.
  writeFileSync(
    join(directory, 'ready.json'),
    JSON.stringify({ ...ready, token: 'x'.repeat(40), key: 'ab'.repeat(18) }),
  );
  const third = await Gatehouse.start(t, { directory });
  assert.deepEqual([third.ready.token, third.ready.key], [undefined, undefined]);
  assert.equal(third.ready.email, ready.email);
});

test('gatehouse serve speaks HTTPS that a client accepts who trusts its authority', async (t) => {
  const directory = temporary(t);
  const { ready } = await Gatehouse.start(t, {
    directory,
    args: ['--https-port', '0', '--tls-names', 'api.test', '--admin-port', '0', '--access-log', 'true'],
  });
  const ca = readFileSync(ready.ca_file!);
  const url = `${ready.api_https}/zones`;
  const get = async (options: object): Promise<number | undefined> => {
    const outgoing = request(url, {
      headers: { authorization: `Bearer ${ready.token}` },
      agent: false,
      ...options,
    });
    outgoing.end();
    const [incoming] = await once(outgoing, 'response');
    incoming.resume();
    return incoming.statusCode;
  };
  assert.equal(await get({ ca }), 200);
  assert.equal(await get({ ca, servername: 'api.test' }), 200);
  await assert.rejects(get({}), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
  await assert.rejects(get({ ca, servername: 'other.test' }), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' });

  const metrics = await textOf(`${ready.admin}/metrics`);
  assert.match(
    metrics,
    /^gatehouse_api_requests_total\{operation="zones\.list",method="GET",status="2xx"\} 2$/m,
  );
  assert.match(metrics, /^gatehouse_api_request_duration_seconds_count\{operation="zones\.list"\} 2$/m);
  assert.equal((await fetch(`${rootOf(ready)}/metrics`)).status, 403);
});

test('gatehouse serve remakes the key of its authority from the copy, logs it, and clients trust it as before', async (t) => {
  const directory = temporary(t);
  const args = ['--https-port', '0', '--edge-port', 'off'];
  const first = await Gatehouse.start(t, { directory, args });
  const trusted = readFileSync(first.ready.ca_file!, 'utf8');
  await first.server.end('SIGTERM');
  const file = join(directory, 'data/tls/ca.pem');
  const key = readFileSync(file);
  writeFileSync(file, key.subarray(0, 100));
  const { server, ready } = await Gatehouse.start(t, { directory, args });
  assert.match(server.stderr, /tls\/ca\.pem is damaged: written again/);
  assert.deepEqual([readFileSync(file), readFileSync(ready.ca_file!, 'utf8')], [key, trusted]);
});

test('gatehouse serve counts failures of authentication and limits without telling who or where', async (t) => {
  const directory = temporary(t);
  const environment = { GATEHOUSE_RATE_LIMIT_REQUESTS: '2', GATEHOUSE_ACCESS_LOG: 'true' };
  const { server, ready } = await Gatehouse.start(t, { directory, environment });
  const zone = ready.zones[0]!.id;
  const path = `/zones/${zone}/filters`;
  assert.equal(
    (await call({ ...ready, token: 'wrong-token-wrong-token-wrong-token-1234' }, path)).status,
    403,
  );
  assert.equal((await call(ready, `${path}?ref=in-the-query`)).status, 200);
  await call(ready, path);
  assert.equal((await call(ready, path)).status, 429);
  await fetch(`${ready.api}/nowhere/${zone}`);
  const metrics = await textOf(`${rootOf(ready)}/metrics`);
  assert.match(metrics, /^gatehouse_api_auth_failures_total 1$/m);
  assert.match(metrics, /^gatehouse_api_rate_limited_total 1$/m);
  assert.match(metrics, /^gatehouse_api_requests_total\{operation="none",method="any",status="4xx"\} 1$/m);
  assert.doesNotMatch(metrics, new RegExp(zone));
  await server.end('SIGTERM');
  const lines = server.stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const requests = lines.filter(({ message }) => message === 'request');
  assert.deepEqual(
    requests.slice(0, 4).map(({ status }) => status),
    [403, 200, 200, 429],
  );
  assert.match(requests[1].request, /^[0-9a-f]{16}$/);
  assert.doesNotMatch(server.stderr, /wrong-token|in-the-query|Bearer/);
});

test('gatehouse serve finishes a response in progress when told to stop, and ends at once when told twice', async (t) => {
  const { server, ready } = await Gatehouse.start(t, { directory: temporary(t) });
  const socket = connect(Number(new URL(ready.api).port), '127.0.0.1');
  const body = '[{"expression": "ssl"}]';
  const head = `POST /client/v4/zones/${ready.zones[0]!.id}/filters HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${ready.token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`;
  socket.write(head);
  const chunks: string[] = [];
  socket.setEncoding('utf8').on('data', (text: string) => chunks.push(text));
  // It asks for the body: the request is in progress.
  await once(socket, 'data');
  server.process.kill('SIGTERM');
  await server.said(/stopping/);
  socket.write(body);
  await once(socket, 'close');
  assert.match(chunks.join(''), /HTTP\/1\.1 20[01] [^]*connection: close[^]*"success":true/i);
  assert.equal(await server.exited, 0);

  const other = await Gatehouse.start(t, { directory: temporary(t), args: ['--shutdown-grace', '1h'] });
  const hanging = connect(Number(new URL(other.ready.api).port), '127.0.0.1');
  hanging.on('error', () => {});
  hanging.write(
    head.replace(ready.token!, other.ready.token!).replace(ready.zones[0]!.id, other.ready.zones[0]!.id),
  );
  await once(hanging, 'data');
  other.server.process.kill('SIGINT');
  await other.server.said(/stopping/);
  assert.equal(await other.server.end('SIGINT'), 1);
});

test('gatehouse serve says what to do about a directory or a port that is taken', async (t) => {
  const directory = temporary(t);
  const { server, ready } = await Gatehouse.start(t, { directory });
  const taken = new URL(ready.api).port;
  mkdirSync(join(directory, 'foreign', 'journal'), { recursive: true });
  const cases: [string[], RegExp][] = [
    [
      ['--port', '0', '--data', 'data', '--ready-file', 'ready.json'],
      /^gatehouse: cannot open \S+data, another runtime owns it: process \d+\. Stop it first, or use another directory\.\n$/,
    ],
    [
      ['--port', taken, '--data', 'other'],
      /^gatehouse: port \d+ is in use: choose another one with --port, or 0 for any free port\n$/,
    ],
    [
      ['--port', '0', '--https-port', taken, '--data', 'another'],
      /in use: choose another one with --https-port, or 0/,
    ],
    [['--data', 'foreign'], /^gatehouse: \S+foreign has other content \(journal, and no gatehouse\.json\)/],
  ];
  // Together, because each waits a while for ports that are in use.
  const starts = cases.map(([args, message]) => ({ failed: new Gatehouse(t, { directory, args }), message }));
  for (const { failed, message } of starts) {
    assert.equal(await failed.exited, 1);
    assert.match(failed.stderr, message);
  }
  // The ready file of the running server still exists, and a failed start has created nothing.
  assert.equal(JSON.parse(readFileSync(join(directory, 'ready.json'), 'utf8')).token, ready.token);
  assert.equal(existsSync(join(directory, 'other', 'journal')), false);
  await server.end('SIGTERM');
});

test('gatehouse serve prints its settings without secrets, and refuses wrong ones', async (t) => {
  const directory = temporary(t);
  writeFileSync(join(directory, 'gatehouse.toml'), 'port = 9\ntls_key_passphrase = "hidden"\n');
  const environment = { GATEHOUSE_HOST: '::1' };
  const shown = new Gatehouse(t, { directory, args: ['--print-config', '--data', 'd'], environment });
  assert.equal(await shown.exited, 0);
  assert.match(shown.stdout, /^port = 9 +# from port in \S+gatehouse\.toml$/m);
  assert.match(shown.stdout, /^host = "::1" +# from GATEHOUSE_HOST$/m);
  assert.match(shown.stdout, /^data = "\S+\/d" +# from --data$/m);
  assert.match(shown.stdout, /^tls_key_passphrase = "\*{8}"/m);
  assert.doesNotMatch(shown.stdout + shown.stderr, /hidden/);
  assert.deepEqual(readdirSync(directory), ['gatehouse.toml']);
  for (const [args, extra, message] of [
    [['--port', 'x'], {}, /^gatehouse: --port must be a whole number from 0 to 65535: "x"\n$/],
    [
      [],
      { GATEHOUSE_PROT: '1' },
      /^gatehouse: the environment has an unknown variable GATEHOUSE_PROT: did you mean/,
    ],
    [['--tls-key-passphrase', 'x'], {}, /has no option --tls-key-passphrase/],
    [['--config', 'none.toml'], {}, /^gatehouse: cannot read the configuration file: ENOENT/],
  ] as [string[], Record<string, string>, RegExp][]) {
    const refused = new Gatehouse(t, { directory, args, environment: extra });
    assert.equal(await refused.exited, 2);
    assert.match(refused.stderr, message);
  }
});
