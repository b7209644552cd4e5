/** `gatehouse serve` with its edge, as a pipeline starts it: everything over the network. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { request as requestSecure } from 'node:https';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../eventually.ts';
import { createAuthority, issueCertificate } from '#certificates';
import { Gatehouse, temporary } from '../server/gatehouse.ts';
import { TestOrigin } from './test-origin.ts';
import { RawClient } from './wire/raw-client.ts';

interface Ready {
  readonly api: string;
  readonly admin?: string;
  readonly edge: string;
  readonly edge_https: string;
  readonly ca_file: string;
  readonly token: string;
  readonly zones: readonly { readonly id: string; readonly name: string; readonly plan: string }[];
}

interface Envelope {
  readonly success: boolean;
  readonly result: unknown;
  readonly errors: readonly { readonly code: number; readonly message: string; readonly source?: object }[];
}

class Api {
  readonly #ready: Ready;

  constructor(ready: Ready) {
    this.#ready = ready;
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into it
  async call(route: string, body?: unknown): Promise<any> {
    const envelope = await this.#send(route, body);
    ok(envelope.success, `${route}: ${JSON.stringify(envelope.errors)}`);
    return envelope.result;
  }

  /** The errors of a call that must fail. */
  async refuse(route: string, body: unknown): Promise<Envelope['errors']> {
    const envelope = await this.#send(route, body);
    equal(envelope.success, false, route);
    return envelope.errors;
  }

  async #send(route: string, body: unknown): Promise<Envelope> {
    const [method, path] = route.split(' ') as [string, string];
    const answer = await fetch(this.#ready.api + path, {
      method,
      headers: { authorization: `Bearer ${this.#ready.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as Envelope;
  }
}

async function send(
  url: string,
  host: string,
  path = '/',
  ca?: Buffer,
): Promise<{ status: number; body: string; ray: string }> {
  const { port } = new URL(url);
  const options = { port, host: '127.0.0.1', agent: false, path, headers: { host } } as const;
  const outgoing = ca === undefined ? request(options) : requestSecure({ ...options, servername: host, ca });
  outgoing.end();
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: answer.statusCode!, body: await text(answer), ray: String(answer.headers['cf-ray']) };
}

test('gatehouse serve judges traffic over HTTP and HTTPS, and a change is in force within a second', async (t) => {
  await using origin = await TestOrigin.listen();
  const directory = temporary(t);
  const { server, ready: facts } = await Gatehouse.start(t, {
    directory,
    args: ['--edge-https-port', '0', '--admin-port', '0', '--allow-private-origins', 'true'],
  });
  const ready = facts as unknown as Ready;
  const api = new Api(ready);
  const { id, name } = ready.zones.find(({ plan }) => plan === 'enterprise')!;
  equal(statSync(join(directory, 'data', 'edge.secret')).mode & 0o777, 0o600);

  await api.call(`PUT /zones/${id}/edge`, { origin: { url: origin.url } });
  await eventually(async () => (await send(ready.edge, name)).status === 200);
  const ca = readFileSync(ready.ca_file);
  const secure = await send(ready.edge_https, `www.${name}`, '/hello', ca);
  deepEqual([secure.status, secure.body], [200, 'origin got GET /hello']);
  equal(origin.take().at(-1)?.headers['x-forwarded-proto'], 'https');

  // An uploaded certificate is served for its names.
  const authority = createAuthority('Elsewhere', Date.now());
  const shop = issueCertificate(authority, [`shop.${name}`], Date.now());
  await api.call(`POST /zones/${id}/custom_certificates`, {
    certificate: shop.certificate.toString(),
    private_key: shop.privateKey.export({ type: 'pkcs8', format: 'pem' }),
  });
  const trusted = Buffer.from(authority.certificate.toString());
  await eventually(async () => {
    const answer = await send(ready.edge_https, `shop.${name}`, '/', trusted).catch(() => undefined);
    return answer?.status === 200;
  });
  equal((await send(ready.edge_https, `www.${name}`, '/', ca)).status, 200);

  // A change takes effect without a request for it.
  for (let count = 0; count < 5; count++) {
    const path = `/no-${count}`;
    await api.call(`POST /zones/${id}/firewall/rules`, [
      { action: 'block', filter: { expression: `http.request.uri.path eq "${path}"` } },
    ]);
    await eventually(async () => (await send(ready.edge, name, path)).status === 403);
  }

  const { ray } = await send(ready.edge, name, '/no-0');
  await eventually(async () => {
    const events = (await api.call(`GET /zones/${id}/security/events?since=1h`)) as { rayName: string }[];
    return events.some(({ rayName }) => rayName === ray);
  });
  const explained = await api.call(`GET /zones/${id}/security/events/${ray}-0/explain`);
  match(JSON.stringify(explained), /no-0/);

  const metrics = await (await fetch(`${ready.admin}/metrics`)).text();
  match(metrics, /gatehouse_edge_requests_total\{verdict="blocked"\} [1-9]/);
  match(metrics, /gatehouse_edge_events_total\{state="dropped"\} 0/);

  // Our own listeners are refused as origins, in every spelling.
  for (const url of [ready.api, ready.admin!, ready.edge]) {
    const { port } = new URL(url);
    const [refusal] = await api.refuse(`PUT /zones/${id}/edge`, {
      origin: { url: `http://localhost:${port}` },
    });
    deepEqual([refusal?.code, refusal?.source], [11004, { pointer: '/origin/url' }]);
  }
  equal(await server.end('SIGTERM'), 0);
});

test('gatehouse serve takes the limits for slow clients from its settings', async (t) => {
  await using origin = await TestOrigin.listen();
  const { server, ready: facts } = await Gatehouse.start(t, {
    directory: temporary(t),
    args: [
      '--allow-private-origins',
      'true',
      '--edge-address-requests',
      '1',
      '--edge-address-connections',
      '2',
    ],
  });
  const ready = facts as unknown as Ready;
  const { id, name } = ready.zones.find(({ plan }) => plan === 'enterprise')!;
  await new Api(ready).call(`PUT /zones/${id}/edge`, { origin: { url: origin.url } });
  await eventually(async () => (await send(ready.edge, name)).status === 200);
  const port = Number(new URL(ready.edge).port);
  using slow = await RawClient.connect(port);
  slow.send(`POST / HTTP/1.1\r\nHost: ${name}\r\nContent-Length: 100\r\n\r\n`);
  // The next request of the same address takes its place.
  await eventually(async () => (await send(ready.edge, name)).status === 200 && slow.received !== '');
  match(slow.received, /408 .*client_too_slow/s);
  using silent = await RawClient.connect(port);
  using another = await RawClient.connect(port);
  equal((await send(ready.edge, name)).status, 200);
  await silent.closed();
  equal(another.isClosed, false);
  equal(await server.end('SIGTERM'), 0);
});

test('gatehouse serve keeps clearances over a restart, and serves its zones again', async (t) => {
  await using origin = await TestOrigin.listen();
  const directory = temporary(t);
  const args = ['--allow-private-origins', 'true'];
  const first = await Gatehouse.start(t, { directory, args });
  const ready = first.ready as unknown as Ready;
  const { id, name } = ready.zones.find(({ plan }) => plan === 'free')!;
  await new Api(ready).call(`PUT /zones/${id}/edge`, { origin: { url: origin.url } });
  await first.server.end('SIGTERM');
  const secret = readFileSync(join(directory, 'data', 'edge.secret'), 'utf8');
  const second = await Gatehouse.start(t, { directory, args });
  const { edge } = second.ready as unknown as Ready;
  equal((await send(edge, name)).status, 200, 'zones are there when the server is ready');
  equal(readFileSync(join(directory, 'data', 'edge.secret'), 'utf8'), secret);
  await second.server.end('SIGTERM');
});

test('gatehouse serve says what to do if the port of the edge is in use, or a database is invalid', async (t) => {
  await using origin = await TestOrigin.listen();
  const { port } = new URL(origin.url);
  const args = ['--data', 'data', '--port', '0'];
  const taken = new Gatehouse(t, { directory: temporary(t), args: [...args, '--edge-port', port] });
  equal(await taken.exited, 1);
  match(taken.stderr, new RegExp(`port ${port} is in use: choose another one with --edge-port`));
  const directory = temporary(t);
  const wrong = new Gatehouse(t, { directory, args: [...args, '--geoip-city', process.execPath] });
  equal(await wrong.exited, 1);
  match(wrong.stderr, /cannot be read as a MaxMind database/);
  const missing = new Gatehouse(t, { directory, args: [...args, '--edge-certificates', 'certs'] });
  equal(await missing.exited, 2);
  match(missing.stderr, /--edge-certificates needs edge_https_port/);
});
