import { equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import type { AddressPolicyOptions } from '../../../src/traffic/edge/proxy/origin/address-policy.ts';
import { proxyUnderTest } from './proxy-under-test.ts';
import { eventually } from '../../eventually.ts';

/** The body of the response for an origin of this name. */
async function answerOf(host: string, addresses: AddressPolicyOptions): Promise<string> {
  await using under = await proxyUnderTest({
    addresses,
    judge: () => ({ kind: 'forward', zone: 'z', origin: { scheme: 'http', host, port: under.origin.port } }),
  });
  using client = await under.connect();
  client.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const { body } = (await client.response())!;
  if (body !== 'ok') equal(under.origin.connections, 0);
  return body;
}

test('serveProxy connects to private addresses only where the operator allows them', async () => {
  match(await answerOf('127.0.0.1', {}), /origin_forbidden/);
  match(await answerOf('localhost', {}), /origin_forbidden/);
  equal(await answerOf('127.0.0.1', { allowPrivate: true }), 'ok');
  match(await answerOf('[::ffff:127.0.0.1]', {}), /origin_forbidden/);
});

test('serveProxy resolves once for each connection, and connects to the address that was checked', async () => {
  let asked = 0;
  const rebinding = async (): Promise<string[]> => (asked++ === 0 ? ['127.0.0.1'] : ['169.254.169.254']);
  await using under = await proxyUnderTest({
    addresses: { allowPrivate: true, resolve: rebinding },
    judge: () => ({
      kind: 'forward',
      zone: 'z',
      origin: { scheme: 'http', host: 'a.example', port: under.origin.port },
    }),
  });
  using client = await under.connect();
  client.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  equal((await client.response())!.body, 'ok');
  equal(asked, 1);
  for (const socket of under.origin.sockets) socket.destroy();
  await eventually(() => under.proxy.stats().originConnections === 0);
  client.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  match((await client.response())!.body, /origin_forbidden/);
  equal(asked, 2);
});

test('serveProxy tries the next address of a name', async () => {
  equal(
    await answerOf('a.example', { allowPrivate: true, resolve: async () => ['127.0.0.77', '127.0.0.1'] }),
    'ok',
  );
});

test('serveProxy never connects to itself or to what is forbidden', async () => {
  await using admin = await proxyUnderTest();
  const forbidden = [{ address: '127.0.0.1', port: admin.port }];
  await using under = await proxyUnderTest({
    addresses: { allowPrivate: true, forbidden },
    judge: ({ target }) => ({
      kind: 'forward',
      zone: 'z',
      origin: { scheme: 'http', host: 'localhost', port: target === '/admin' ? admin.port : under.port },
    }),
  });
  using client = await under.connect();
  for (const target of ['/admin', '/self']) {
    client.send(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
    match((await client.response())!.body, /origin_forbidden/);
  }
  equal(admin.proxy.stats().connections, 0);
  await eventually(() => under.proxy.stats().originConnections === 0);
});
