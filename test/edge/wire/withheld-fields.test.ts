/** Fields that do not reach the origin, and what rules see of them. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../eventually.ts';
import { ServedEdge } from '../served-edge.ts';
import { proxyUnderTest } from './proxy-under-test.ts';

function get(...lines: readonly string[]): string {
  return `${['GET / HTTP/1.1', 'Host: a.example', ...lines].join('\r\n')}\r\n\r\n`;
}

test('serveProxy shows the judge no field that Connection names', async () => {
  await using under = await proxyUnderTest();
  using client = await under.connect();
  client.send(
    get(
      'X-Api-Key: 1',
      'X-Other: 2',
      'TE: trailers',
      'connection: X-API-Key, te',
      'Connection: x-third',
      'X-Third: 3',
    ),
  );
  equal((await client.response())?.status, 200);
  const names = under.judged[0]!.headers.map(([name]) => name);
  deepEqual(names, ['Host', 'X-Other', 'connection', 'Connection']);
  const seen = new Set(under.origin.requests[0]!.headers.map(([name]) => name));
  ok(seen.has('x-other'));
  for (const name of ['x-api-key', 'x-third', 'te', 'connection']) ok(!seen.has(name), name);
});

test('serveProxy shows the judge the switch to WebSocket, which the origin gets as well', async () => {
  await using under = await proxyUnderTest();
  using client = await under.connect();
  client.send(
    get('Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: a', 'Sec-WebSocket-Version: 13'),
  );
  await eventually(() => under.judged.length > 0);
  deepEqual(under.judged[0]!.headers[2], ['Upgrade', 'websocket']);
});

test('serveProxy refuses Connection that names a field meant for the origin', async () => {
  await using under = await proxyUnderTest();
  const named = 'Host Content-Length Content-Type Cookie Authorization Accept Accept-Language Referer User-Agent Origin Range If-None-Match Sec-Fetch-Site X-CSRF-Token X-Real-IP X_Real_IP X-Forwarded-For CF-Ray CF-Worker Access-Control-Request-Method'; // prettier-ignore
  for (const name of named.split(' ')) {
    using client = await under.connect();
    client.send(get(`Connection: keep-alive, ${name}`));
    equal((await client.response())?.status, 400, name);
  }
  equal(under.origin.requests.length, 0);
});

const claims = 'Proxy X-Original-URL X-Rewrite-URL X-Original-Host X-Host True-Client-IP X-Client-IP X-Real-IP X-Cluster-Client-IP Client-IP Fastly-Client-IP X-Azure-ClientIP X-Remote-IP X-Remote-Addr X-Originating-IP X-ProxyUser-IP WL-Proxy-Client-IP X-True-IP Forwarded-For X-Original-Forwarded-For CF-IPCountry CF-Connecting-IPv6 CF-Pseudo-IPv4 X-Appengine-User-IP X_Real_IP True_Client_IP X.Client.IP x_original_url'.split(' '); // prettier-ignore

test('serveProxy withholds claims about the client and the route from the origin', async () => {
  await using under = await proxyUnderTest();
  using client = await under.connect();
  client.send(
    get(...claims.map((name) => `${name}: 192.0.2.9`), 'X-Address: 1', 'api_key: 2', 'X-Shipping-Address: 3'),
  );
  equal((await client.response())?.status, 200);
  ok(!under.origin.bytes.includes('192.0.2.9'), under.origin.bytes);
  for (const name of ['X-Address: 1', 'api_key: 2', 'X-Shipping-Address: 3'])
    ok(under.origin.bytes.includes(name), name);
  // Rules may still look at them.
  deepEqual(
    under.judged[0]!.headers.map(([name]) => name).filter((name) => claims.includes(name)),
    claims,
  );
});

test('serveProxy refuses other spellings of fields that the edge sets, with any punctuation', async () => {
  await using under = await proxyUnderTest();
  for (const name of [
    'X_Forwarded_For',
    'X.Forwarded.For',
    'X-Forwarded.For',
    'CF_Connecting_IP',
    'cf+ray',
    'Transfer.Encoding',
  ]) {
    using client = await under.connect();
    client.send(get(`${name}: 192.0.2.9`));
    equal((await client.response())?.status, 400, name);
  }
});

test('a zone gets the claims that it asks for, in their own spelling only', async () => {
  await using served = await ServedEdge.open();
  const headers = { 'X-Real-IP': '192.0.2.9', X_Real_IP: '192.0.2.8', 'X-Original-URL': '/admin' };
  await served.serve('enterprise');
  await served.send('/', { headers });
  await served.serve('enterprise', { forwarded_fields: ['X-Real-IP'] });
  await served.send('/', { headers });
  const seen = served.origin
    .take()
    .map((request) => ['x-real-ip', 'x_real_ip', 'x-original-url'].map((name) => request.headers[name]));
  deepEqual(seen, [
    [undefined, undefined, undefined],
    ['192.0.2.9', undefined, undefined],
  ]);
});
