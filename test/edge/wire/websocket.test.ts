import { deepEqual, equal } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { VirtualClock } from '#base';
import type { ProxyOptions } from '../../../src/traffic/edge/proxy/serve-proxy.ts';
import { type ProxyUnderTest, proxyUnderTest } from './proxy-under-test.ts';
import { eventually } from '../../eventually.ts';

interface Echo extends AsyncDisposable {
  readonly under: ProxyUnderTest;
  readonly server: WebSocketServer;
}

/** An echo server behind a proxy. */
async function echo(options: Partial<ProxyOptions> = {}): Promise<Echo> {
  const http = createServer((_, response) => void response.end('no socket'));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const server = new WebSocketServer({ server: http });
  server.on('connection', (socket, request) => {
    socket.on('error', () => {});
    socket.on('message', (data: Buffer, isBinary: boolean) => socket.send(data, { binary: isBinary }));
    socket.send(`${request.url} for ${request.headers['cf-connecting-ip'] as string}`);
  });
  const { port } = http.address() as AddressInfo;
  const under = await proxyUnderTest({
    judge: (request) =>
      request.target === '/forbidden'
        ? { kind: 'answer', status: 403, headers: [], body: '' }
        : { kind: 'forward', zone: 'z', origin: { scheme: 'http', host: '127.0.0.1', port } },
    ...options,
  });
  return {
    under,
    server,
    [Symbol.asyncDispose]: async () => {
      await under[Symbol.asyncDispose]();
      for (const client of server.clients) client.terminate();
      http.close();
    },
  };
}

test('serveProxy passes WebSockets through, in both directions', async () => {
  await using ends = await echo();
  const socket = new WebSocket(`ws://127.0.0.1:${ends.under.port}/chat?room=1`);
  const heard: string[] = [];
  socket.on('message', (data: Buffer) => heard.push(data.toString()));
  await once(socket, 'open');
  socket.send('hello');
  socket.send('x'.repeat(500_000));
  await eventually(() => heard.length === 3);
  deepEqual(heard.slice(0, 2), ['/chat?room=1 for 127.0.0.1', 'hello']);
  equal(heard[2]!.length, 500_000);
  socket.close(4_000, 'bye');
  const [code] = (await once(socket, 'close')) as [number];
  equal(code, 4_000);
  await eventually(() => ends.under.proxy.stats().connections === 0);
  equal(ends.under.proxy.stats().originConnections, 0);
});

test('serveProxy judges the request that would open a WebSocket', async () => {
  await using ends = await echo();
  const socket = new WebSocket(`ws://127.0.0.1:${ends.under.port}/forbidden`);
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
  equal(response.statusCode, 403);
  socket.on('error', () => {});
  socket.terminate();
  equal(ends.server.clients.size, 0);
});

test('serveProxy passes on the answer of an origin that does not switch, and ends the connection', async () => {
  await using under = await proxyUnderTest();
  using client = await under.connect();
  client.send(
    'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 777\r\n\r\nGET /hidden HTTP/1.1\r\nHost: a\r\n\r\n',
  );
  const response = await client.response();
  equal(response?.status, 200);
  equal(response.headers.get('connection'), 'close');
  await client.closed();
  equal(under.origin.requests.length, 1);
});

test('serveProxy refuses a switch to another protocol than the requested one', async () => {
  await using under = await proxyUnderTest();
  under.origin.reply = (_, socket) =>
    void socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n');
  using client = await under.connect();
  client.send('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  equal((await client.response())?.status, 502);
  await eventually(() => under.origin.sockets.size === 0);
});

test('serveProxy ends the other side of a WebSocket, and idle WebSockets', async () => {
  const clock = new VirtualClock();
  await using ends = await echo({ clock, timeouts: { tunnelIdleMs: 60_000 } });
  const url = `ws://127.0.0.1:${ends.under.port}/`;
  const first = new WebSocket(url);
  await once(first, 'open');
  first.terminate();
  await eventually(() => ends.server.clients.size === 0);
  const second = new WebSocket(url);
  second.on('error', () => {});
  await once(second, 'open');
  for (const client of ends.server.clients) client.terminate();
  await once(second, 'close');
  const third = new WebSocket(url);
  third.on('error', () => {});
  await once(third, 'message');
  const closed = once(third, 'close');
  await clock.advance(59_000);
  equal(third.readyState, WebSocket.OPEN);
  await clock.advance(2_000);
  await closed;
  await eventually(() => ends.under.proxy.stats().connections === 0);
});
