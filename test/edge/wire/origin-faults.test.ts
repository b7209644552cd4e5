import { equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '#base';
import { type ProxyUnderTest, proxyUnderTest } from './proxy-under-test.ts';
import { eventually } from '../../eventually.ts';
import type { SeenResponse } from './raw-client.ts';

const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

async function ask(under: ProxyUnderTest, text = request): Promise<SeenResponse | undefined> {
  using client = await under.connect();
  client.send(text);
  return await client.response();
}

/** No request, connection or event listener is left. */
async function expectNothingHeld(under: ProxyUnderTest): Promise<void> {
  await eventually(() => {
    const { requests, connections, originConnections, originConnectionsIdle } = under.proxy.stats();
    return requests + connections + originConnections - originConnectionsIdle === 0;
  }, 'an empty proxy');
}

const badAnswers: Readonly<Record<string, string>> = {
  garbage: 'hello\r\n\r\n',
  'another protocol': 'SSH-2.0-OpenSSH\r\n\r\n',
  'a version nobody speaks': 'HTTP/2.0 200 OK\r\n\r\n',
  'a status of two digits': 'HTTP/1.1 20 OK\r\n\r\n',
  'line feeds': 'HTTP/1.1 200 OK\nContent-Length: 0\n\n',
  'a folded field': 'HTTP/1.1 200 OK\r\nA: b\r\n c\r\nContent-Length: 0\r\n\r\n',
  'a space before a colon': 'HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n',
  'a null': 'HTTP/1.1 200 OK\r\nA: \0\r\nContent-Length: 0\r\n\r\n',
  'two lengths': 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
  'a length and chunks':
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'a coding nobody knows': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
  'chunks in HTTP/1.0': 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'a switch nobody asked for': 'HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n',
  'interim answers without end': 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(20),
  'a first chunk that is none': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcX',
  'a head too large': `HTTP/1.1 200 OK\r\nA: ${'a'.repeat(200_000)}\r\n\r\n`,
  'too many fields': `HTTP/1.1 200 OK\r\n${'A: b\r\n'.repeat(1_000)}\r\n`,
};

test('serveProxy answers 502 for every answer that is not HTTP', async () => {
  await using under = await proxyUnderTest();
  for (const [title, text] of Object.entries(badAnswers)) {
    under.origin.reply = (_, socket) => void socket.write(text, 'latin1');
    const response = await ask(under);
    equal(response?.status, 502, title);
    match(response.body, /"code":"origin_bad_response"/, title);
  }
  equal(
    under.outcomes.every(({ refusal }) => refusal === 'origin_bad_response'),
    true,
  );
  await expectNothingHeld(under);
});

test('serveProxy answers 502 when the origin is down, resets or closes', async () => {
  await using under = await proxyUnderTest();
  under.origin.onConnection = (socket) => socket.resetAndDestroy();
  equal((await ask(under))?.status, 502);
  under.origin.onConnection = () => {};
  under.origin.reply = (_, socket) => void socket.resetAndDestroy();
  equal((await ask(under))?.status, 502);
  under.origin.reply = (_, socket) => void socket.end();
  equal((await ask(under))?.status, 502);
  under.origin.reply = (_, socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-');
  equal((await ask(under))?.status, 502);
  await under.origin[Symbol.asyncDispose]();
  const response = await ask(under);
  equal(response?.status, 502);
  match(response.body, /"code":"origin_unreachable"/);
  equal(response.body.includes(response.headers.get('cf-ray')!), true);
  await expectNothingHeld(under);
});

test('serveProxy answers browsers in HTML', async () => {
  await using under = await proxyUnderTest();
  under.origin.reply = (_, socket) => void socket.destroy();
  const response = await ask(under, 'GET / HTTP/1.1\r\nHost: a\r\nAccept: text/html,*/*\r\n\r\n');
  match(response!.body, /^<!doctype html>[^]*502 Bad Gateway/);
  equal(response!.headers.get('cache-control'), 'no-store');
});

test('serveProxy breaks off an answer that the origin breaks off', async () => {
  await using under = await proxyUnderTest();
  const halves = [
    'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n',
  ];
  for (const half of halves) {
    under.origin.reply = (_, socket) => void socket.end(half);
    using client = await under.connect();
    client.send(request);
    await client.closed();
    equal(client.received.startsWith('HTTP/1.1 200 OK'), true);
    match(client.received, /\r\nabc(?:\r\n)?$/);
  }
  await expectNothingHeld(under);
});

test('serveProxy passes on an early answer and ends the connection', async () => {
  await using under = await proxyUnderTest();
  under.origin.onConnection = (socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n'));
  };
  using client = await under.connect();
  client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nabc');
  const response = await client.response();
  equal(response?.status, 413);
  equal(response.headers.get('connection'), 'close');
  await client.closed();
  client.socket.destroy();
  await expectNothingHeld(under);
});

test('serveProxy gives up on an origin that takes too long', async () => {
  const clock = new VirtualClock();
  await using under = await proxyUnderTest({
    clock,
    timeouts: { originFirstByteMs: 5_000, originIdleMs: 3_000, headMs: 60_000 },
  });
  under.origin.reply = () => {};
  using silent = await under.connect();
  silent.send(request);
  await eventually(() => under.origin.requests.length === 1);
  await clock.advance(4_000);
  equal(silent.received, '');
  await clock.advance(2_000);
  const response = await silent.response();
  equal(response?.status, 504);
  match(response.body, /origin_timeout/);

  under.origin.reply = (_, socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc');
  using half = await under.connect();
  half.send(request);
  await eventually(() => half.received.endsWith('abc'));
  await clock.advance(4_000);
  await half.closed();
  equal(under.proxy.stats().refusals.origin_timeout, 2);
});

test('serveProxy gives up on a name that is not resolved in time', async () => {
  const clock = new VirtualClock();
  await using under = await proxyUnderTest({
    clock,
    addresses: { resolve: () => new Promise(() => {}) },
    judge: () => ({ kind: 'forward', zone: 'z', origin: { scheme: 'http', host: 'slow.example', port: 80 } }),
  });
  using client = await under.connect();
  client.send(request);
  await eventually(() => under.judged.length === 1);
  await clock.advance(11_000);
  const response = await client.response();
  equal(response?.status, 504);
  match(response.body, /origin_connect_timeout/);
});

test('serveProxy closes unused connections to the origin, before the origin does', async () => {
  const clock = new VirtualClock();
  await using under = await proxyUnderTest({ clock });
  under.origin.reply = (_, socket) =>
    void socket.write('HTTP/1.1 200 OK\r\nKeep-Alive: timeout=5\r\nContent-Length: 0\r\n\r\n');
  equal((await ask(under))?.status, 200);
  equal(under.proxy.stats().originConnectionsIdle, 1);
  await clock.advance(3_000);
  equal(under.proxy.stats().originConnectionsIdle, 1);
  await clock.advance(2_000);
  await eventually(() => under.proxy.stats().originConnections === 0);
});

test('serveProxy answers 503 above its limits', async () => {
  await using under = await proxyUnderTest({ limits: { requestsPerZoneMax: 2, connectionsPerOriginMax: 1 } });
  under.origin.reply = () => {};
  using first = await under.connect();
  first.send(request);
  await eventually(() => under.origin.requests.length === 1);
  match((await ask(under))!.body, /origin_too_busy/);
  using second = await under.connect();
  second.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n');
  match((await second.response())!.body, /origin_too_busy/);
  await eventually(() => under.proxy.stats().requests === 1);
});

test('serveProxy counts requests of all zones together', async () => {
  await using under = await proxyUnderTest({ limits: { requestsMax: 1 } });
  under.origin.reply = () => {};
  using first = await under.connect();
  first.send(request);
  await eventually(() => under.origin.requests.length === 1);
  const response = await ask(under);
  equal(response?.status, 503);
  match(response.body, /too_busy/);
  first.socket.destroy();
  await eventually(() => under.proxy.stats().requests === 0);
});

test('serveProxy calls off a request whose client leaves', async () => {
  await using under = await proxyUnderTest();
  under.origin.reply = () => {};
  for (const isSudden of [true, false]) {
    using client = await under.connect();
    client.send(request);
    await eventually(() => under.origin.sockets.size === 1);
    if (isSudden) client.socket.resetAndDestroy();
    else client.socket.end();
    await eventually(() => under.origin.sockets.size === 0, 'an origin without connections');
  }
  equal(under.outcomes.map(({ edgeStatus }) => edgeStatus).join(' '), '499 499');
  await expectNothingHeld(under);
});
