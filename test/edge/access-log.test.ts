/** The access log of `gatehouse serve`: every request id that a visitor got leads to a line, and no visitor waits for it. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { existsSync, readFileSync, renameSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTraffic } from '#rehearsal';
import { eventually } from '../eventually.ts';
import { Gatehouse, temporary } from '../server/gatehouse.ts';
import { TestOrigin } from './test-origin.ts';
import { RawClient } from './wire/raw-client.ts';

type Line = Readonly<Record<string, string | number | boolean | null>>;

interface Served {
  readonly server: Gatehouse;
  readonly directory: string;
  readonly port: number;
  readonly admin: string;
  readonly api: (route: string, body?: object) => Promise<{ readonly errors: readonly Failure[] }>;
  readonly zone: { readonly id: string; readonly name: string };
}

interface Failure {
  readonly code: number;
  readonly message: string;
  readonly source?: { readonly pointer: string };
}

async function serve(t: Parameters<typeof temporary>[0], args: readonly string[]): Promise<Served> {
  const directory = temporary(t);
  const { server, ready } = await Gatehouse.start(t, { directory, args: ['--admin-port', '0', ...args] });
  const { api, token, admin, edge, zones } = ready as typeof ready & { readonly edge: string };
  return {
    server,
    directory,
    port: Number(new URL(edge).port),
    admin: admin!,
    zone: zones.find(({ plan }) => plan === 'enterprise')!,
    async api(route, body) {
      const [method, path] = route.split(' ') as [string, string];
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const answer = await fetch(api + path, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      return (await answer.json()) as { errors: readonly Failure[] };
    },
  };
}

/** Sends bytes and returns the status and the id that a visitor sees. */
async function ask(port: number, text: string): Promise<readonly [status: number, id: string]> {
  const client = await RawClient.connect(port);
  client.send(text);
  const response = (await client.response())!;
  client.socket.destroy();
  return [response.status, response.headers.get('cf-ray')!];
}

function get(host: string, path = '/', fields = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${fields}\r\n`;
}

/** Empty if it does not exist: the current file is renamed before the next is created. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    equal((error as NodeJS.ErrnoException).code, 'ENOENT');
    return '';
  }
}

function readLines(file: string): Line[] {
  const lines = readText(file).split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Line);
}

test('gatehouse serve: the request id of every answer leads to one line of the access log', async (t) => {
  await using origin = await TestOrigin.listen();
  const served = await serve(t, ['--allow-private-origins', 'true']);
  const { server, port, zone, api } = served;
  const file = join(served.directory, 'data', 'logs', 'edge-access.log');
  await api(`PUT /zones/${zone.id}/edge`, { origin: { url: origin.url } });
  await api(`POST /zones/${zone.id}/firewall/rules`, [
    { action: 'block', filter: { expression: 'http.request.uri.path eq "/admin"' } },
  ]);
  await eventually(async () => (await ask(port, get(zone.name, '/admin')))[0] === 403);

  const passed = await ask(port, get(`www.${zone.name}`, '/hello?a=1', 'User-Agent: curl\u00e9\r\n'));
  const blocked = await ask(port, get(zone.name, '/admin'));
  const unserved = await ask(port, get('nobody.example'));
  const malformed = await ask(port, 'GET / HTTP/1.1\r\nHost: a\r\nBad Name: x\r\n\r\n');
  const garbage = await ask(port, '\u0016\u0003\u0001\r\n\r\n');
  // An origin that has stopped.
  const dead = createServer();
  await once(dead.listen(0, '127.0.0.1'), 'listening');
  const { port: deadPort } = dead.address() as { port: number };
  await new Promise((resolve) => dead.close(resolve));
  await api(`PUT /zones/${zone.id}/edge`, { origin: { url: `http://127.0.0.1:${deadPort}` } });
  await eventually(async () => (await ask(port, get(zone.name)))[0] === 502);
  const failed = await ask(port, get(zone.name, '/lost'));
  deepEqual(
    [passed, blocked, unserved, malformed, garbage, failed].map(([status]) => status),
    [200, 403, 421, 400, 400, 502],
  );
  equal(await server.end('SIGTERM'), 0);

  const lines = readLines(file);
  const find = ([status, id]: readonly [number, string]): Line => {
    const found = lines.filter((line) => line['id'] === id);
    deepEqual(
      found.map((line) => line['status']),
      [status],
      id,
    );
    return found[0]!;
  };
  const {
    origin_status,
    zone: zoneName,
    target,
    verdict,
    user_agent,
  } = find(passed) as Record<string, unknown>;
  deepEqual(
    [origin_status, zoneName, target, verdict, user_agent],
    [200, zone.name, '/hello?a=1', 'forwarded', 'curl\ufffd'],
  );
  ok(Number(find(passed)['origin_first_byte_ms']) > 0);
  ok(Number(find(passed)['sent_bytes']) > 'origin got GET /hello?a=1'.length);
  equal(find(blocked)['verdict'], 'blocked');
  match(String(find(blocked)['rule']), /^[0-9a-f]{32}$/);
  deepEqual([find(unserved)['verdict'], find(unserved)['host']], ['unserved', 'nobody.example']);
  deepEqual([find(malformed)['refusal'], find(malformed)['client']], ['bad_header', '127.0.0.1']);
  equal(find(garbage)['verdict'], 'refused');
  equal(find(failed)['refusal'], 'origin_unreachable');
  equal(find(failed)['reason'], `connection to 127.0.0.1 port ${deadPort} failed: ECONNREFUSED`);
  equal(statSync(file).mode & 0o777, 0o600);
});

test('gatehouse serve rotates the access log by size, and continues in a new file after SIGHUP', async (t) => {
  const served = await serve(t, [
    '--edge-access-log',
    'access.log',
    '--edge-access-log-bytes',
    '2000',
    '--edge-access-log-files',
    '2',
  ]);
  const { server, directory, port } = served;
  const at = (name: string): string => join(directory, name);
  const ids: string[] = [];
  // Each line has about 300 bytes, and is written before the next request is sent.
  for (let count = 0; count < 40; count++) {
    const [, id] = await ask(port, get('nobody.example'));
    ids.push(id);
    await eventually(() => readText(at('access.log')).includes(id));
  }
  const names = ['access.log.2', 'access.log.1', 'access.log'];
  equal(existsSync(at('access.log.3')), false);
  for (const name of names) ok(statSync(at(name)).size <= 2_000, name);
  const kept = names.flatMap((name) => readLines(at(name)).map((line) => line['id']));
  deepEqual(kept, ids.slice(-kept.length));

  renameSync(at('access.log'), at('moved.log'));
  server.process.kill('SIGHUP');
  await eventually(() => existsSync(at('access.log')));
  const [, last] = await ask(port, get('nobody.example'));
  await eventually(() => readLines(at('access.log')).some((line) => line['id'] === last));
  equal(await server.end('SIGTERM'), 0);
});

test('gatehouse serve writes the combined format to standard output', async (t) => {
  const { server, port } = await serve(t, [
    '--edge-access-log',
    'stdout',
    '--edge-access-log-format',
    'combined',
  ]);
  const [, id] = await ask(port, get('nobody.example', '/a', 'Referer: http://x/"\r\nUser-Agent: a b\r\n'));
  await eventually(() => server.stdout.includes(id));
  const line = server.stdout.split('\n').find((each) => each.includes(id))!;
  match(
    line,
    new RegExp(
      String.raw`^127\.0\.0\.1 ${id} - \[\d\d/\w{3}/\d{4}:\d\d:\d\d:\d\d \+0000\] "GET /a HTTP/1\.1" 421 \d+ "http://x/\\x22" "a b"$`,
    ),
  );
  equal(await server.end('SIGTERM'), 0);
});

test('gatehouse serve answers every visitor while nobody reads the access log, and says what it dropped', async (t) => {
  const { server, port, admin } = await serve(t, ['--edge-access-log', 'stdout']);
  const { stdout } = server.process;
  stdout!.pause();
  const client = await RawClient.connect(port);
  // Lines of 4 KB until the queue is full: 8 MiB beyond what the pipe takes.
  const fields = `Referer: ${'y'.repeat(1_000)}\r\nUser-Agent: ${'z'.repeat(500)}\r\n`;
  const request = get('nobody.example', `/${'x'.repeat(2_000)}`, fields);
  const counts = async (): Promise<readonly number[]> => {
    const text = await (await fetch(`${admin}/metrics`)).text();
    const read = (state: string): number =>
      Number(new RegExp(`access_log_lines_total\\{state="${state}"\\} (\\d+)`).exec(text)![1]);
    return [read('written'), read('dropped')];
  };
  let sent = 0;
  for (; (await counts())[1] === 0; sent += 200) {
    ok(sent < 20_000, 'lines are dropped before there are 50 MB of them');
    for (let count = 0; count < 200; count++) client.send(request);
    for (let count = 0; count < 200; count++) equal((await client.response())!.status, 421);
  }
  await server.said(/lines of the access log were dropped/);
  match(server.stderr, /"setting":"edge_access_log"/);
  stdout!.resume();
  await eventually(async () => {
    const [written = 0, dropped = 0] = await counts();
    return written + dropped === sent;
  });
  client.socket.destroy();
  equal(await server.end('SIGTERM'), 0);
});

test('gatehouse serve refuses a private origin when it is set, and names the setting', async (t) => {
  const { server, zone, api } = await serve(t, []);
  for (const [origin, pointer] of [
    [{ url: 'http://127.0.0.1:3000' }, '/origin/url'],
    [{ url: 'http://localhost:3000' }, '/origin/url'],
    [{ url: 'http://[::ffff:10.0.0.1]' }, '/origin/url'],
    [{ url: 'https://shop.example', connect_to: '192.168.0.10' }, '/origin/connect_to'],
  ] as const) {
    const { errors } = await api(`PUT /zones/${zone.id}/edge`, { origin });
    deepEqual(
      errors.map(({ code, source }) => [code, source]),
      [[11003, { pointer }]],
    );
    match(errors[0]!.message, /allow_private_origins/);
  }
  const { errors } = await api(`PUT /zones/${zone.id}/edge`, { origin: { url: 'http://169.254.169.254' } });
  deepEqual(
    errors.map(({ code }) => code),
    [11004],
  );
  const accepted = await api(`PUT /zones/${zone.id}/edge`, { origin: { url: 'https://192.0.20.1' } });
  deepEqual(accepted.errors, []);
  await server.end('SIGTERM');
});

test('gatehouse serve does not start with an access log that cannot be opened, and says what to do', async (t) => {
  const directory = temporary(t);
  const server = new Gatehouse(t, {
    directory,
    args: ['--data', 'data', '--port', '0', '--edge-access-log', '/dev/null/access.log'],
  });
  equal(await server.exited, 1);
  match(server.stderr, /cannot open the access log: .*\/dev\/null.*--edge-access-log/);
});

test('gatehouse serve: recorded requests have their bodies, secrets masked, and a rehearsal reads them', async (t) => {
  await using origin = await TestOrigin.listen();
  const format = ['--edge-access-log-format', 'requests', '--edge-access-log-body', '64'];
  const served = await serve(t, ['--allow-private-origins', 'true', ...format]);
  const { port, zone, api } = served;
  const file = join(served.directory, 'data', 'logs', 'edge-access.log');
  await api(`PUT /zones/${zone.id}/edge`, { origin: { url: origin.url } });
  await eventually(async () => (await ask(port, get(zone.name)))[0] === 200);
  const post = (path: string, fields: string, body: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: ${zone.name}\r\nContent-Type: application/x-www-form-urlencoded\r\n${fields}\r\n\r\n${body}`;
  const body = 'q=1+union+select&password=hunter2';
  await ask(port, post('/form', `Content-Length: ${body.length}`, body));
  await ask(port, post('/chunks', 'Transfer-Encoding: chunked', '3\r\nq=1\r\n8\r\n&token=a\r\n0\r\n\r\n'));
  await ask(port, post('/long', 'Content-Length: 100', `q=${'z'.repeat(98)}`));
  const find = (path: string): Line | undefined =>
    readLines(file).find(({ url }) => String(url).endsWith(path));
  await eventually(() => find('/long') !== undefined);
  deepEqual(
    [find('/form')!['body'], find('/form')!['body_truncated']],
    ['q=1+union+select&password=xxxxxx0', undefined],
  );
  equal(find('/chunks')!['body'], 'q=1&token=x');
  deepEqual([find('/long')!['body'], find('/long')!['body_truncated']], [`q=${'z'.repeat(62)}`, true]);
  equal(find('/')!['body'], undefined);

  const traffic = await openTraffic({ file, zoneName: zone.name });
  const replayed = (await Array.fromAsync(traffic.read())).flatMap((entry) =>
    entry.kind === 'request' && entry.request.method === 'POST' ? [entry.request] : [],
  );
  deepEqual(
    replayed.map(({ target, body: bytes, isBodyMissing }) => [target, bytes!.length, isBodyMissing]),
    [
      ['/form', body.length, false],
      ['/chunks', 11, false],
      ['/long', 64, true],
    ],
  );
});
