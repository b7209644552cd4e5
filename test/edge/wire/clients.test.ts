import { equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { parseNetworkSet } from '#addresses';
import { VirtualClock } from '#base';
import { proxyUnderTest } from './proxy-under-test.ts';
import { okReply } from './raw-origin.ts';
import { eventually } from '../../eventually.ts';

const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

/** Sent data is read in the next turns of the loop, which virtual time does not wait for. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
}

test('serveProxy ends a head that trickles', async () => {
  const clock = new VirtualClock();
  await using under = await proxyUnderTest({ clock, timeouts: { headMs: 10_000 } });
  using client = await under.connect();
  client.send('GET / HTTP/1.1\r\n');
  for (let second = 0; second < 9; second++) {
    client.send(`X-${second}: a\r\n`);
    await turns();
    await clock.advance(1_000);
  }
  equal(client.isClosed, false);
  await clock.advance(2_000);
  equal((await client.response())?.status, 408);
  await client.closed();
  equal(under.judged.length, 0);
});

test('serveProxy ends connections that say nothing', async () => {
  const clock = new VirtualClock();
  await using under = await proxyUnderTest({ clock, timeouts: { headMs: 10_000, keepAliveMs: 20_000 } });
  using silent = await under.connect();
  using idle = await under.connect();
  idle.send(request);
  await idle.response();
  await clock.advance(14_000);
  await silent.closed();
  equal(silent.received, '');
  equal(idle.isClosed, false);
  await clock.advance(10_000);
  await idle.closed();
});

test('serveProxy ends a body that trickles, and lets the origin go', async () => {
  const clock = new VirtualClock();
  await using under = await proxyUnderTest({ clock, timeouts: { bodyIdleMs: 10_000 } });
  using client = await under.connect();
  client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n');
  await eventually(() => under.origin.sockets.size === 1);
  for (let second = 0; second < 11; second++) {
    client.send('a');
    await turns();
    await clock.advance(1_000);
  }
  const response = await client.response();
  equal(response?.status, 408);
  match(response.body, /body_timeout/);
  await eventually(() => under.origin.sockets.size === 0);
  equal(under.origin.requests.length, 0);
});

test('serveProxy ends a client that takes nothing of its answer', async () => {
  const clock = new VirtualClock();
  await using under = await proxyUnderTest({ clock, timeouts: { writeStallMs: 10_000 } });
  under.origin.reply = (_, socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n');
    const piece = Buffer.alloc(64 * 1024);
    const write = (): void => {
      while (socket.writable && socket.write(piece));
    };
    socket.on('drain', write);
    write();
  };
  using client = await under.connect();
  client.socket.pause();
  client.send(request);
  await eventually(() => under.outcomes.length === 1);
  // No event reports that it is full in between.
  await eventually(() => {
    void clock.advance(100);
    return under.origin.sockets.size === 0;
  }, 'an origin without connections');
  equal(under.proxy.stats().requests, 0);
});

test('serveProxy has less patience with clients that take nothing where there are many of one address', async () => {
  const clock = new VirtualClock();
  await using under = await proxyUnderTest({
    clock,
    timeouts: { writeStallMs: 60_000, hurriedStallMs: 1_000 },
    limits: { requestsPerAddressMax: 16 },
  });
  under.origin.reply = (_, socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n');
    socket.write(Buffer.alloc(32 * 1024 * 1024));
  };
  const clients = await Promise.all(Array.from({ length: 6 }, () => under.connect()));
  for (const client of clients) {
    client.socket.pause();
    client.send(request);
  }
  await eventually(() => under.outcomes.length === clients.length);
  // An eighth of sixteen may wait longer.
  await eventually(() => {
    void clock.advance(50);
    return under.origin.sockets.size <= 2;
  }, 'all but two are ended');
  equal(under.proxy.stats().requests, 2);
  for (const client of clients) client.socket.destroy();
});

test('serveProxy serves other clients while hundreds of connections are slow', async () => {
  await using under = await proxyUnderTest();
  const dawdlers = await Promise.all(Array.from({ length: 300 }, () => under.connect()));
  for (const dawdler of dawdlers) dawdler.send('GET / HTTP/1.1\r\nHost:');
  using client = await under.connect();
  client.send(request);
  equal((await client.response())?.status, 200);
  for (const dawdler of dawdlers) dawdler.socket.destroy();
  await eventually(() => under.proxy.stats().connections === 1);
});

test('serveProxy drops connections above the number for one address, if all before have a request', async () => {
  await using under = await proxyUnderTest({ limits: { connectionsPerAddressMax: 2 } });
  under.origin.reply = () => {};
  using first = await under.connect();
  using second = await under.connect();
  for (const client of [first, second]) client.send(request);
  await eventually(() => under.origin.requests.length === 2);
  under.origin.reply = okReply;
  using third = await under.connect();
  await third.closed();
  equal(under.proxy.stats().connectionsDropped, 1);
  second.socket.destroy();
  await eventually(() => under.proxy.stats().connections === 1);
  using fourth = await under.connect();
  fourth.send(request);
  equal((await fourth.response())?.status, 200);
  equal(first.isClosed, false);
});

test('serveProxy takes more connections from a trusted proxy', async () => {
  const trustedProxies = parseNetworkSet(['127.0.0.1']);
  await using under = await proxyUnderTest({ limits: { connectionsPerAddressMax: 1 }, trustedProxies });
  using first = await under.connect();
  using second = await under.connect();
  for (const client of [first, second]) {
    client.send(request);
    equal((await client.response())?.status, 200);
  }
});

test('serveProxy refuses a flood of heads and stays small', async () => {
  await using under = await proxyUnderTest();
  const before = process.memoryUsage().rss;
  const flood = `GET / HTTP/1.1\r\nHost: a\r\n${'X: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n'.repeat(20_000)}`;
  for (let round = 0; round < 20; round++) {
    using client = await under.connect();
    client.send(flood);
    equal((await client.response())?.status, 431);
  }
  equal(process.memoryUsage().rss - before < 96 * 1024 * 1024, true);
});

test('serveProxy close waits for the request in progress and ends the rest', async () => {
  await using under = await proxyUnderTest();
  let answer = (): void => {};
  under.origin.reply = (_, socket) => {
    answer = () => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlast');
  };
  using busy = await under.connect();
  using idle = await under.connect();
  busy.send(request);
  await eventually(() => under.origin.requests.length === 1);
  const closed = under.proxy.close();
  await idle.closed();
  answer();
  const response = await busy.response();
  equal(response?.body, 'last');
  equal(response.headers.get('connection'), 'close');
  busy.socket.destroy();
  await closed;
});
