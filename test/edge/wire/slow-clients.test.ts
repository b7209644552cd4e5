/** Clients that are slow on purpose, from several loopback addresses, beside ordinary ones. */
import { equal, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '#base';
import type { Judge } from '../../../src/traffic/edge/wire/exchange.ts';
import { eventually } from '../../eventually.ts';
import { type ProxyUnderTest, proxyUnderTest } from './proxy-under-test.ts';
import type { RawClient } from './raw-client.ts';
import { RawOrigin } from './raw-origin.ts';

const slowPost = 'POST /upload HTTP/1.1\r\nHost: slow.example\r\nContent-Length: 100000\r\n\r\n';

/** Rules that read bodies, in every zone; the zone is the host. */
function inspectBodies(origin: RawOrigin): Judge {
  return async ({ host }, inspect) => {
    await inspect({ zone: host });
    return { kind: 'forward', origin: origin.origin, zone: host };
  };
}

async function connectMany(under: ProxyUnderTest, count: number, addresses: readonly string[]) {
  const clients: RawClient[] = [];
  for (let index = 0; index < count; index++) {
    clients.push(await under.connect(addresses[index % addresses.length]));
  }
  return clients;
}

async function expectServed(under: ProxyUnderTest, host: string, from = '127.0.0.1'): Promise<void> {
  for (const text of [
    `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 4\r\n\r\nbody`,
  ]) {
    using client = await under.connect(from);
    client.send(text);
    equal((await client.response())?.status, 200, `${host} from ${from}`);
  }
}

test('serveProxy serves other zones and other clients while two addresses post slowly', async () => {
  const clock = new VirtualClock();
  await using origin = await RawOrigin.listen();
  await using under = await proxyUnderTest({
    clock,
    judge: inspectBodies(origin),
    limits: { requestsMax: 32, requestsPerZoneMax: 16, requestsPerAddressMax: 12, connectionsMax: 256 },
  });
  const slow = await connectMany(under, 64, ['127.0.0.2', '127.0.0.3']);
  let requestsAtMost = 0;
  for (const [index, client] of slow.entries()) {
    client.send(slowPost);
    await eventually(() => under.judged.length > index);
    requestsAtMost = Math.max(requestsAtMost, under.proxy.stats().requests);
  }
  for (let round = 0; round < 5; round++) {
    for (const client of slow) if (!client.isClosed) client.send('abc');
    under.judged.length = 0;
    // Another zone, and the zone that is attacked.
    await expectServed(under, 'other.example');
    await expectServed(under, 'slow.example');
    // Even a client with the address of an attacker.
    await expectServed(under, 'slow.example', '127.0.0.2');
    await clock.advance(1_000);
  }
  ok(requestsAtMost <= 16, `${requestsAtMost} requests at the same time`);
  ok(under.refused.some(({ refusal }) => refusal.code === 'client_too_slow'));
  for (const client of slow) client.socket.destroy();
  await eventually(() => under.proxy.stats().requests === 0);
});

test('serveProxy gives a zone no more requests than it leaves free', async () => {
  await using under = await proxyUnderTest({
    judge: ({ host }) => ({ kind: 'forward', zone: host, origin: under.origin.origin }),
    limits: { requestsMax: 12, requestsPerZoneMax: 12, requestsPerAddressMax: 12 },
  });
  under.origin.reply = () => {};
  const clients = await connectMany(under, 24, ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5']);
  // No request waits for its client here, so none loses a slot: two zones get a third each.
  for (const [index, client] of clients.entries()) {
    client.send(`GET / HTTP/1.1\r\nHost: ${index % 2 === 0 ? 'a' : 'b'}.example\r\n\r\n`);
    await eventually(() => under.refused.length + under.origin.requests.length === index + 1);
  }
  equal(under.proxy.stats().requests, 8);
  equal(
    under.refused.every(({ refusal }) => refusal.code === 'zone_too_busy'),
    true,
  );
  using newcomer = await under.connect();
  newcomer.send('GET / HTTP/1.1\r\nHost: c.example\r\n\r\n');
  await eventually(() => under.origin.requests.length === 9);
  for (const client of clients) client.socket.destroy();
});

test('serveProxy limits the requests of one address, whatever their zones', async () => {
  await using under = await proxyUnderTest({
    judge: ({ host }) => ({ kind: 'forward', zone: host, origin: under.origin.origin }),
    limits: { requestsPerAddressMax: 2 },
  });
  under.origin.reply = () => {};
  const clients = await connectMany(under, 3, ['127.0.0.2']);
  for (const [index, client] of clients.entries()) {
    client.send(`GET / HTTP/1.1\r\nHost: zone${index}.example\r\n\r\n`);
    await eventually(() => under.origin.requests.length + under.refused.length === index + 1);
  }
  const refused = await clients[2]!.response();
  equal(refused?.status, 503);
  match(refused.body, /address_too_busy/);
  for (const client of clients) client.socket.destroy();
});

test('serveProxy takes newcomers while all of its connections are silent', async () => {
  await using under = await proxyUnderTest({
    limits: { connectionsMax: 64, connectionsPerAddressMax: 64 },
  });
  const addresses = Array.from({ length: 64 }, (_, index) => `127.0.1.${index + 1}`);
  const silent = await connectMany(under, 64, addresses);
  await eventually(() => under.proxy.stats().connections === 64);
  // One of them was served meanwhile, so it is less idle than the others.
  silent[0]!.send('GET / HTTP/1.1\r\nHost: any.example\r\n\r\n');
  equal((await silent[0]!.response())?.status, 200);
  for (let round = 0; round < 8; round++) await expectServed(under, 'any.example', '127.0.0.9');
  const { connectionsDropped, connectionsEvicted } = under.proxy.stats();
  equal(connectionsDropped, 0);
  ok(connectionsEvicted > 0);
  ok(under.proxy.stats().connections <= 64);
  await eventually(() => silent[1]!.isClosed);
  equal(silent[0]!.isClosed, false);
  for (const client of silent) client.socket.destroy();
});

test('serveProxy gives an address no more connections than it leaves free', async () => {
  await using under = await proxyUnderTest({
    limits: { connectionsMax: 32, connectionsPerAddressMax: 32 },
  });
  const silent = await connectMany(under, 64, ['127.0.0.2']);
  await eventually(() => silent.filter(({ isClosed }) => isClosed).length === 48);
  equal(under.proxy.stats().connections, 16);
  for (const client of silent) client.socket.destroy();
});

test('serveProxy ends a body that keeps moving, but below the minimum rate', async () => {
  const clock = new VirtualClock();
  await using under = await proxyUnderTest({
    clock,
    timeouts: { bodyIdleMs: 10_000 },
    limits: { bodyBytesPerSecondMin: 500 },
  });
  const head = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n';
  using slow = await under.connect('127.0.0.2');
  using steady = await under.connect('127.0.0.3');
  for (const client of [slow, steady]) client.send(head);
  await eventually(() => under.origin.sockets.size === 2);
  let sent = 0;
  for (let second = 0; second < 40 && !slow.isClosed; second++) {
    slow.send('a'.repeat(300));
    steady.send('a'.repeat(600));
    sent += 900;
    await eventually(() => slow.isClosed || countBodies(under.origin) >= sent);
    await clock.advance(1_000);
  }
  match((await slow.response())!.body, /body_timeout/);
  equal(steady.isClosed, false);
  steady.socket.destroy();
});

/** How many bytes of bodies have arrived; heads contain no run of the letter. */
function countBodies({ bytes }: RawOrigin): number {
  return bytes.match(/a{100,}/g)?.reduce((sum, { length }) => sum + length, 0) ?? 0;
}
