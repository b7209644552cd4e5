/** The proxy's reports to its observer, for every outcome of a request. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { createLog } from '#base';
import { emptyGeoDatabase, type RequestRecord } from '#edge';
import { EdgeObservation } from '../../../src/program/server/edge/edge-observation.ts';
import { eventually } from '../../eventually.ts';
import { proxyUnderTest } from './proxy-under-test.ts';

class Observer {
  readonly records: RequestRecord[] = [];
  readonly tunnels: { readonly received: number; readonly sent: number }[] = [];

  onRequest(record: RequestRecord): void {
    this.records.push(record);
  }

  onTunnelEnd(bytes: { readonly received: number; readonly sent: number }): void {
    this.tunnels.push(bytes);
  }

  async next(): Promise<RequestRecord> {
    await eventually(() => this.records.length > 0, 'a record');
    return this.records.shift()!;
  }
}

test('serveProxy reports one record for each request of a connection, with bytes and times in order', async () => {
  const observer = new Observer();
  await using under = await proxyUnderTest({ observer });
  const client = await under.connect();
  const first = 'GET /a HTTP/1.1\r\nHost: a\r\n\r\n';
  const second = 'POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n';
  client.send(`${first}${second}hello`);
  const ids = [await client.response(), await client.response()].map((answer) =>
    answer!.headers.get('cf-ray'),
  );
  const records = [await observer.next(), await observer.next()];
  deepEqual(
    records.map(({ id }) => id),
    ids,
  );
  deepEqual(
    records.map(({ receivedBytes, sentBodyBytes }) => [receivedBytes, sentBodyBytes]),
    [
      [first.length, 2],
      [second.length + 5, 2],
    ],
  );
  equal(records[0]!.sentBytes + records[1]!.sentBytes, client.received.length);
  for (const { judgedMs, firstByteMs, endMs, origin, isComplete } of records) {
    const { requestMs, responseMs } = origin!;
    const times = [judgedMs!, requestMs!, responseMs!, firstByteMs!, endMs];
    deepEqual(
      times,
      times.toSorted((one, other) => one - other),
    );
    ok(isComplete);
  }
  // The second used the connection of the first.
  deepEqual(
    records.map(({ origin }) => origin!.connectStartMs !== undefined),
    [true, false],
  );
});

test('serveProxy reports a client that left, an origin that was cut off, and a head that could not be parsed', async () => {
  const observer = new Observer();
  await using under = await proxyUnderTest({ observer });
  under.origin.reply = () => {};
  const leaving = await under.connect();
  leaving.send('GET /a HTTP/1.1\r\nHost: a\r\n\r\n');
  await eventually(() => under.origin.requests.length === 1);
  leaving.socket.destroy();
  const left = await observer.next();
  deepEqual([left.outcome.edgeStatus, left.isComplete, left.firstByteMs], [499, false, undefined]);

  under.origin.reply = (_, socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
  const cut = await under.connect();
  cut.send('GET /b HTTP/1.1\r\nHost: a\r\n\r\n');
  await cut.closed();
  const broken = await observer.next();
  deepEqual(
    [broken.outcome.edgeStatus, broken.outcome.refusal, broken.isComplete, broken.sentBodyBytes],
    [200, 'origin_closed', false, 4],
  );

  const client = await under.connect();
  client.send('GET / HTTP/1.1\r\nHost: a\r\nX: a\nb\r\n\r\n');
  const answer = (await client.response())!;
  const refused = await observer.next();
  deepEqual(
    [refused.id, refused.request, refused.outcome.edgeStatus, refused.verdict],
    [answer.headers.get('cf-ray'), undefined, 400, 'refused'],
  );
  equal(observer.records.length, 0);
});

test('serveProxy reports a WebSocket when it is switched, and its bytes at its end', async () => {
  const http = createServer().listen(0, '127.0.0.1');
  await once(http, 'listening');
  const server = new WebSocketServer({ server: http });
  server.on('connection', (socket) => socket.on('message', (data: Buffer) => socket.send(data)));
  const { port } = http.address() as AddressInfo;
  const observer = new Observer();
  await using under = await proxyUnderTest({
    observer,
    judge: () => ({ kind: 'forward', zone: 'z', origin: { scheme: 'http', host: '127.0.0.1', port } }),
  });
  const socket = new WebSocket(`ws://127.0.0.1:${under.port}/chat`);
  await once(socket, 'open');
  equal((await observer.next()).outcome.edgeStatus, 101);
  socket.send('x'.repeat(10_000));
  await once(socket, 'message');
  socket.close();
  await eventually(() => observer.tunnels.length > 0);
  const [{ received, sent }] = observer.tunnels as [{ received: number; sent: number }];
  ok(received > 10_000 && sent > 10_000 && received < 10_100 && sent < 10_100, `${received} and ${sent}`);
  http.close();
});

test('serveProxy serves on when its observer throws', async () => {
  const observer = {
    startTrace: () => {
      throw new Error('no trace');
    },
    onRequest: () => {
      throw new Error('no record');
    },
  };
  await using under = await proxyUnderTest({ observer });
  const client = await under.connect();
  client.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  equal((await client.response())!.status, 200);
  deepEqual(
    under.errors.map((error) => (error as Error).message),
    ['no trace', 'no record'],
  );
});

test('EdgeObservation names the setting when the name of an origin resolves to a private address, once a minute', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ level: 'warn', format: 'json', write: (line) => lines.push(JSON.parse(line)) });
  const observer = new EdgeObservation({
    zonesMax: 1,
    log,
    accessLog: undefined,
    tracer: undefined,
    reports: { sendTraffic: async () => {}, sendRequests: async () => {} },
    geo: emptyGeoDatabase,
  });
  const zone = { id: '0'.repeat(32), name: 'shop.example' };
  await using under = await proxyUnderTest({
    observer,
    addresses: { resolve: async () => ['10.0.0.5'] },
    judge: () => ({
      kind: 'forward',
      zone: zone.id,
      origin: { scheme: 'http', host: 'app.internal', port: 3000 },
      about: { zone, verdict: 'forwarded' },
    }),
  });
  const client = await under.connect();
  for (let count = 0; count < 3; count++) {
    client.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const { status, body } = (await client.response())!;
    equal(status, 502);
    // Visitors do not learn the addresses of origins.
    match(body, /origin_forbidden/);
    ok(!body.includes('10.0.0.5'));
  }
  equal(lines.length, 1);
  const { zone: name, origin, reason, setting } = lines[0]!;
  deepEqual(
    [name, origin, reason, setting],
    [
      'shop.example',
      'app.internal:3000',
      '10.0.0.5 is a private address, and allow_private_origins is off',
      'allow_private_origins = true would allow it',
    ],
  );
});

test('EdgeObservation gives series of their own to a bounded number of zones', async () => {
  const log = createLog({ level: 'error', format: 'json', write: () => {} });
  const observer = new EdgeObservation({
    zonesMax: 2,
    log,
    accessLog: undefined,
    tracer: undefined,
    reports: { sendTraffic: async () => {}, sendRequests: async () => {} },
    geo: emptyGeoDatabase,
  });
  await using under = await proxyUnderTest({
    observer,
    judge: ({ host }) => ({
      kind: 'answer',
      status: 200,
      headers: [],
      body: '',
      about: { zone: { id: host, name: host }, verdict: 'answered' },
    }),
  });
  const client = await under.connect();
  for (const host of ['a.example', 'b.example', 'c.example', 'd.example', 'a.example']) {
    client.send(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await client.response();
  }
  const { points } = observer.metrics
    .find(({ name }) => name === 'gatehouse_edge_zone_requests_total')!
    .read();
  deepEqual(
    points.map(({ labels, value }) => [labels['zone'], value]),
    [
      ['a.example', 2],
      ['b.example', 1],
      ['other', 2],
    ],
  );
});
