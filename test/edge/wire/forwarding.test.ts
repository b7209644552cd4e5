import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { Socket } from 'node:net';
import { parseNetworkSet } from '#addresses';
import { VirtualClock } from '#base';
import { proxyUnderTest } from './proxy-under-test.ts';
import { eventually } from '../../eventually.ts';
import type { Reply, SeenRequest } from './raw-origin.ts';

function valuesOf(request: SeenRequest | undefined, name: string): string[] {
  return request!.headers.filter(([other]) => other === name).map(([, value]) => value);
}

function request(...lines: readonly string[]): string {
  return `${['GET /path?q=1 HTTP/1.1', 'Host: Shop.Example:8080', ...lines].join('\r\n')}\r\n\r\n`;
}

function replyWith(text: string): Reply {
  return (_, socket) => void socket.write(text, 'latin1');
}

test('serveProxy passes on what was judged, without the fields of one hop', async () => {
  await using under = await proxyUnderTest();
  using client = await under.connect();
  client.send(
    request(
      'X-One: 1',
      'Keep-Alive: timeout=5',
      'TE: trailers',
      'Proxy-Authorization: x',
      'x-ONE: 2',
      'X-Hop: y',
      'Connection: keep-alive, x-hop',
    ),
  );
  await client.response();
  const [seen] = under.origin.requests;
  equal(seen!.line, 'GET /path?q=1 HTTP/1.1');
  deepEqual(valuesOf(seen, 'host'), ['Shop.Example:8080']);
  deepEqual(valuesOf(seen, 'x-one'), ['1', '2']);
  for (const name of ['keep-alive', 'te', 'proxy-authorization', 'connection', 'x-hop']) {
    deepEqual(valuesOf(seen, name), [], name);
  }
  const [judged] = under.judged;
  equal(judged!.host, 'shop.example');
  deepEqual(judged!.headers[1], ['X-One', '1']);
  equal(judged!.body, undefined);
});

test('serveProxy replaces what untrusted peers claim about the client', async () => {
  await using under = await proxyUnderTest();
  using client = await under.connect();
  client.send(
    request(
      'X-Forwarded-For: 192.0.2.9',
      'x-forwarded-proto: https',
      'CF-Connecting-IP: 192.0.2.9',
      'X-Real-IP: 192.0.2.9',
      'Forwarded: for=192.0.2.9',
      'X-Forwarded-Host: evil.example',
      'CF-Ray: fake',
    ),
  );
  const response = await client.response();
  const [seen] = under.origin.requests;
  deepEqual(valuesOf(seen, 'x-forwarded-for'), ['127.0.0.1']);
  deepEqual(valuesOf(seen, 'x-forwarded-proto'), ['http']);
  deepEqual(valuesOf(seen, 'cf-connecting-ip'), ['127.0.0.1']);
  deepEqual(valuesOf(seen, 'cf-ray'), [response!.headers.get('cf-ray')]);
  equal(under.origin.bytes.includes('192.0.2.9'), false);
  equal(under.origin.bytes.includes('evil'), false);
  equal(under.judged[0]!.clientAddress, '127.0.0.1');
});

test('serveProxy believes trusted proxies, and those they trust', async () => {
  await using under = await proxyUnderTest({
    trustedProxies: parseNetworkSet(['127.0.0.0/8', '10.0.0.0/8']),
  });
  using client = await under.connect();
  client.send(
    request(
      'X-Forwarded-For: 203.0.113.7, 198.51.100.1, 10.1.2.3',
      'X-Forwarded-Proto: https',
      'X-Forwarded-Host: b',
    ),
  );
  await client.response();
  const [judged] = under.judged;
  equal(judged!.clientAddress, '198.51.100.1');
  equal(judged!.peerAddress, '127.0.0.1');
  equal(judged!.isSecure, true);
  const [seen] = under.origin.requests;
  deepEqual(valuesOf(seen, 'x-forwarded-for'), ['203.0.113.7, 198.51.100.1, 10.1.2.3, 127.0.0.1']);
  deepEqual(valuesOf(seen, 'x-forwarded-proto'), ['https']);
  deepEqual(valuesOf(seen, 'cf-connecting-ip'), ['198.51.100.1']);
  deepEqual(valuesOf(seen, 'x-forwarded-host'), ['b']);
});

test('serveProxy adds the fields of the judge in place of the client’s', async () => {
  await using under = await proxyUnderTest({
    judge: () => ({
      kind: 'forward',
      zone: 'zone',
      origin: under.origin.origin,
      requestHeaders: [['X-Score', '7']],
    }),
  });
  using client = await under.connect();
  client.send(request('x-score: 99'));
  await client.response();
  deepEqual(valuesOf(under.origin.requests[0], 'x-score'), ['7']);
});

test('serveProxy refuses fields of a judge that would frame or split a message', async () => {
  for (const header of [
    ['Content-Length', '3'],
    ['X', 'a\r\nb: c'],
    ['a b', 'c'],
    ['Host', 'x'],
  ] as const) {
    await using under = await proxyUnderTest({
      judge: () => ({ kind: 'forward', zone: 'zone', origin: under.origin.origin, requestHeaders: [header] }),
    });
    using client = await under.connect();
    client.send(request());
    equal((await client.response())?.status, 500);
    equal(under.errors[0] instanceof TypeError, true);
    equal(under.origin.bytes, '');
  }
});

test('serveProxy passes an answer on, without the fields of one hop', async () => {
  await using under = await proxyUnderTest();
  under.origin.reply = replyWith(
    'HTTP/1.1 404 Nicht da\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nKeep-Alive: timeout=5\r\nConnection: keep-alive, X-Hop\r\nX-Hop: 1\r\nCF-Ray: theirs\r\nContent-Length: 4\r\n\r\ngone',
  );
  using client = await under.connect();
  client.send(request());
  const response = await client.response();
  equal(response?.status, 404);
  equal(response.body, 'gone');
  ok(client.received.startsWith('HTTP/1.1 404 Nicht da\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n'));
  equal(
    response.headers.has('keep-alive') || response.headers.has('x-hop') || response.headers.has('connection'),
    false,
  );
  match(response.headers.get('cf-ray')!, /^[0-9a-f]{16}-/);
});

test('serveProxy frames answers anew: chunks for HTTP/1.1, the end of the connection for HTTP/1.0', async () => {
  await using under = await proxyUnderTest();
  under.origin.reply = replyWith(
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nX-T: 1\r\n\r\n',
  );
  using modern = await under.connect();
  modern.send(request());
  const response = await modern.response();
  equal(response?.body, 'abcde');
  equal(modern.received.includes('X-T') || modern.received.includes('x=y'), false);
  using old = await under.connect();
  old.send('GET / HTTP/1.0\r\nHost: a\r\n\r\n');
  await old.closed();
  ok(old.received.endsWith('\r\n\r\nabcde'));
  equal(old.received.toLowerCase().includes('transfer-encoding'), false);
});

test('serveProxy ends an answer that the end of the connection frames', async () => {
  await using under = await proxyUnderTest();
  under.origin.reply = (_, socket) => void socket.end('HTTP/1.0 200 OK\r\n\r\nall of it');
  using client = await under.connect();
  client.send(request());
  equal((await client.response())?.body, 'all of it');
  equal(client.isClosed, false);
});

test('serveProxy knows which answers have no body', async () => {
  await using under = await proxyUnderTest();
  under.origin.reply = ({ line }, socket) => {
    if (line.startsWith('HEAD')) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n');
    else if (line.includes('/204')) socket.write('HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n');
    else socket.write('HTTP/1.1 304 Not Modified\r\nContent-Length: 1000\r\nETag: "x"\r\n\r\n');
  };
  using client = await under.connect();
  client.send('HEAD / HTTP/1.1\r\nHost: a\r\n\r\n');
  equal((await client.response('HEAD'))?.headers.get('content-length'), '1000');
  client.send('GET /204 HTTP/1.1\r\nHost: a\r\n\r\n');
  equal((await client.response())?.headers.has('content-length'), false);
  client.send('GET /304 HTTP/1.1\r\nHost: a\r\n\r\n');
  equal((await client.response())?.status, 304);
  equal(under.origin.connections, 1);
});

test('serveProxy says 100 Continue itself, and drops what the origin says before its answer', async () => {
  await using under = await proxyUnderTest();
  under.origin.reply = replyWith(
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
  );
  using client = await under.connect();
  client.send('POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n');
  equal((await client.response())?.status, 100);
  client.send('abc');
  equal((await client.response())?.status, 200);
  equal(client.unread, '');
  deepEqual(valuesOf(under.origin.requests[0], 'expect'), []);
});

test('serveProxy uses connections to the origin again', async () => {
  await using under = await proxyUnderTest();
  for (let round = 0; round < 5; round++) {
    using client = await under.connect();
    for (let index = 0; index < 4; index++) {
      client.send(request());
      equal((await client.response())?.status, 200);
    }
  }
  equal(under.origin.connections, 1);
  equal(under.proxy.stats().originConnectionsIdle, 1);
});

test('serveProxy uses the connections of a burst again in the next one, and closes those beyond the usual soon', async () => {
  const clock = new VirtualClock();
  await using under = await proxyUnderTest({ clock, limits: { idleConnectionsPerOriginMax: 2 } });
  const waiting: Socket[] = [];
  under.origin.reply = (_, socket) => {
    waiting.push(socket);
    if (waiting.length < 5) return;
    for (const each of waiting.splice(0)) each.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  };
  const clients = await Promise.all(Array.from({ length: 5 }, () => under.connect()));
  for (let burst = 0; burst < 3; burst++) {
    for (const client of clients) client.send(request());
    for (const client of clients) equal((await client.response())?.status, 200);
  }
  equal(under.origin.connections, 5);
  await clock.advance(3_000);
  await eventually(() => under.proxy.stats().originConnectionsIdle === 2);
  for (const client of clients) client[Symbol.dispose]();
});

test('serveProxy does not use a connection again after a body that the origin may not expect', async () => {
  await using under = await proxyUnderTest();
  using client = await under.connect();
  client.send('GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc');
  equal((await client.response())?.status, 200);
  deepEqual(valuesOf(under.origin.requests[0], 'connection'), ['close']);
  client.send(request());
  equal((await client.response())?.status, 200);
  equal(under.origin.connections, 2);
});

test('serveProxy repeats a request only when its connection was stale and repeating does no harm', async () => {
  await using under = await proxyUnderTest();
  using client = await under.connect();
  let closing = false;
  under.origin.reply = (_, socket) => {
    if (closing) socket.destroy();
    else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    closing = false;
  };
  client.send(request());
  equal((await client.response())?.status, 200);
  closing = true;
  client.send(request());
  equal((await client.response())?.status, 200);
  equal(under.origin.requests.length, 3);
  closing = true;
  client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n');
  equal((await client.response())?.status, 502);
  equal(under.origin.requests.length, 4);
});

test('serveProxy does not use a connection again on which the origin spoke unasked', async () => {
  await using under = await proxyUnderTest();
  under.origin.reply = replyWith(
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison',
  );
  using client = await under.connect();
  client.send(request());
  equal((await client.response())?.body, 'ok');
  under.origin.reply = replyWith('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nmine');
  client.send(request());
  equal((await client.response())?.body, 'mine');
  equal(under.origin.connections, 2);
  for (const socket of under.origin.sockets)
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison');
  await eventually(() => under.proxy.stats().originConnectionsIdle === 0);
  client.send(request());
  equal((await client.response())?.body, 'mine');
});

test('serveProxy ends a route that leads back to itself', async () => {
  await using under = await proxyUnderTest();
  using client = await under.connect();
  client.send(request());
  await client.response();
  const [token] = valuesOf(under.origin.requests[0], 'cdn-loop');
  client.send(request('CDN-Loop: other'));
  equal((await client.response())?.status, 200);
  client.send(request(`CDN-Loop: other, ${token}`));
  equal((await client.response())?.status, 508);
});
