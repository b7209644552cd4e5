/** Attacks that need a socket and a clock. Those of frames alone are in `src/traffic/http2/floods.test.ts`. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '#base';
import { type Http2Limit, http2Limits } from '#http2';
import { createEdgeMetrics } from '#observability';
import {
  data,
  frame,
  frameType,
  getFields,
  headers,
  ping,
  reset,
  settings,
  windowUpdate,
} from '../../../src/traffic/http2/testing.ts';
import { eventually } from '../../eventually.ts';
import type { ProxyUnderTest } from '../wire/proxy-under-test.ts';
import { connectSocket, FrameClient, host, http2UnderTest } from './http2-under-test.ts';

const fields = getFields.map(([name, value]) => [name, name === ':authority' ? host : value] as const);
const post = fields.map(([name, value]) => [name, name === ':method' ? 'POST' : value] as const);

function countOf({ proxy }: ProxyUnderTest, limit: Http2Limit): number {
  return proxy.stats().http2Limits[limit];
}

/** Each is sent at once, and ends with its connection closed and counted. */
const floods: Partial<Record<Http2Limit, () => Buffer[]>> = {
  resets: () => many(300, (id) => [headers(id, fields), reset(id)]),
  forced_resets: () => many(300, (id) => [headers(id, fields), windowUpdate(id, 0)]),
  streams: () => many(400, (id) => [headers(id, post, { isEnd: false })]),
  continuation: () => [
    frame(frameType.headers, 0, 1),
    ...many(20, () => [frame(frameType.continuation, 0, 1)]),
  ],
  ping: () => many(3_000, () => [ping]),
  settings: () => many(3_000, () => [settings()]),
  priority: () => many(3_000, () => [frame(frameType.priority, 0, 1, Buffer.alloc(5))]),
  window_update: () => many(3_000, () => [windowUpdate(0, 1)]),
  empty_data: () => [headers(1, post, { isEnd: false }), ...many(3_000, () => [data(1, '')])],
  unknown_frames: () => many(3_000, () => [frame(0xbe, 0, 0)]),
  compression_error: () => [frame(frameType.headers, 5, 1, Buffer.of(0x80))],
  frame_size_error: () => [frame(frameType.ping, 0, 0)],
  flow_control_error: () => [windowUpdate(0, 0x7fff_ffff)],
  protocol_error: () => [data(1, 'x')],
  stream_closed_error: () => [headers(1, fields), reset(1), headers(1, fields)],
};

function many(count: number, create: (id: number) => readonly Buffer[]): Buffer[] {
  return Array.from({ length: count }, (_, index) => create(index * 2 + 1)).flat();
}

test('serveProxy ends a connection that floods it, counts the reason, and serves the next', async () => {
  await using under = await http2UnderTest();
  under.origin.reply = () => {};
  for (const [limit, create] of Object.entries(floods)) {
    using client = await FrameClient.connect(under.port);
    client.send(...create());
    await client.frame(({ name }) => name === 'goaway');
    await eventually(() => client.isClosed, limit);
    ok(countOf(under, limit as Http2Limit) > 0, limit);
  }
  await eventually(() => under.proxy.stats().requests === 0);
  await eventually(() => under.origin.sockets.size === 0);
  under.origin.reply = (_, socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n');
  using client = await FrameClient.connect(under.port);
  client.send(headers(1, fields));
  equal(await client.outcome(1), '204');
  deepEqual(under.errors, []);
});

test('serveProxy has at most so many requests of a connection in progress', async () => {
  await using under = await http2UnderTest();
  under.origin.reply = () => {};
  using client = await FrameClient.connect(under.port);
  client.send(...many(150, (id) => [headers(id, fields)]));
  await client.frame(({ name, streamId }) => name === 'resetStream' && streamId === 299);
  equal(under.judged.length, 100);
  equal(countOf(under, 'streams'), 50);
  equal(under.proxy.stats().requests, 100);
});

test('serveProxy answers a bomb with 431, and keeps little of it', async () => {
  await using under = await http2UnderTest();
  using client = await FrameClient.connect(under.port);
  const entry = Buffer.concat([Buffer.from('\x40\x01x\x7f\xa1\x1e', 'latin1'), Buffer.alloc(4_000, 'a')]);
  client.send(
    frame(frameType.headers, 5, 1, entry),
    frame(frameType.headers, 5, 3, Buffer.alloc(16_000, 0xbe)),
  );
  equal(await client.outcome(1), '400');
  equal(await client.outcome(3), '431');
  equal(countOf(under, 'header_list'), 1);
  equal(under.judged.length, 0);
});

test('serveProxy does not wait long for a preface or settings', async () => {
  for (const begin of ['', 'PRI * HTTP/2.0', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n']) {
    const clock = new VirtualClock();
    await using under = await http2UnderTest({ clock });
    const socket = await connectSocket(under.port);
    socket.resume();
    socket.write(begin);
    await eventually(() => under.proxy.stats().http2Connections === 1);
    await clock.advance(16_000);
    await eventually(() => under.proxy.stats().http2Connections === 0);
    equal(countOf(under, 'preface_timeout'), 1);
    socket.destroy();
  }
});

/** A client, and the clock of its proxy. The proxy has read its data when a PING after it is answered. */
async function withClock(options: Parameters<typeof http2UnderTest>[0] = {}): Promise<{
  readonly under: ProxyUnderTest;
  readonly clock: VirtualClock;
  readonly client: FrameClient;
  readonly send: (...frames: readonly Buffer[]) => Promise<void>;
}> {
  const clock = new VirtualClock();
  const under = await http2UnderTest({ clock, ...options });
  const client = await FrameClient.connect(under.port, settings([4, 0]));
  const answers = (): number => client.frames.filter(({ name }) => name === 'ping').length;
  const send = async (...frames: readonly Buffer[]): Promise<void> => {
    const before = answers();
    client.send(...frames, ping);
    await eventually(() => answers() > before || client.isClosed);
  };
  await send();
  return { under, clock, client, send };
}

test('serveProxy does not wait long for the rest of a block, whatever else is in progress', async () => {
  const { under, clock, client, send } = await withClock();
  await using _ = under;
  under.origin.reply = () => {};
  await send(headers(1, fields));
  client.send(ping, frame(frameType.headers, 0, 3));
  await eventually(() => client.frames.filter(({ name }) => name === 'ping').length === 3);
  await clock.advance(16_000);
  await eventually(() => client.isClosed);
  equal(countOf(under, 'preface_timeout'), 1);
});

test('serveProxy closes a connection without requests, whatever control frames come', async () => {
  const { under, clock, client, send } = await withClock();
  await using _ = under;
  for (let round = 0; round < 4; round++) {
    await clock.advance(20_000);
    await send();
  }
  await eventually(() => client.isClosed);
  equal(under.proxy.stats().http2Connections, 0);
});

test('serveProxy ends a stream whose client lets nothing through, and gives its place to others', async () => {
  for (const size of [100, 1_000_000]) {
    const { under, clock, client, send } = await withClock();
    await using _ = under;
    under.origin.reply = (_request, socket) =>
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n${'x'.repeat(size)}`);
    await send(headers(1, fields));
    equal(await client.outcome(1), '200');
    equal(under.proxy.stats().requests, 1, 'the request lasts until its response is on its way');
    await eventually(async () => {
      // The deadline starts when data is waiting.
      await clock.advance(61_000);
      return client.frames.some(({ name }) => name === 'resetStream');
    });
    equal(under.proxy.stats().requests, 0);
    equal(countOf(under, 'write_stall'), 1);
  }
});

test('serveProxy lets a stalled client lose its place to a newcomer', async () => {
  const { under, client, send } = await withClock({ limits: { requestsMax: 1 } });
  await using _ = under;
  await send(headers(1, fields));
  equal(await client.outcome(1), '200');
  await eventually(() => under.proxy.stats().requests === 1);
  using other = await FrameClient.connect(under.port);
  other.send(headers(1, fields));
  equal(await other.outcome(1), '200');
  equal((await client.frame(({ name }) => name === 'resetStream')).streamId, 1);
});

test('serveProxy answers a body that takes too long with 408, and counts streams as requests of their address', async () => {
  const { under, clock, client, send } = await withClock({ limits: { requestsPerAddressMax: 2 } });
  await using _ = under;
  await send(headers(1, post, { isEnd: false }), headers(3, post, { isEnd: false }));
  equal(under.proxy.stats().requests, 2);
  await clock.advance(21_000);
  equal(await client.outcome(1), '408');
  equal(await client.outcome(3), '408');
});

test('createEdgeMetrics has a number for every limit of HTTP/2', async () => {
  await using under = await http2UnderTest();
  using client = await FrameClient.connect(under.port);
  client.send(data(1, 'x'));
  await client.frame(({ name }) => name === 'goaway');
  const metric = createEdgeMetrics(() => ({ proxy: under.proxy.stats() }) as never).find(
    ({ name }) => name === 'gatehouse_edge_http2_limits_total',
  );
  const { points } = metric!.read();
  equal(points.length, http2Limits.length);
  deepEqual(
    points.filter(({ value }) => value !== 0),
    [{ labels: { limit: 'protocol_error' }, value: 1 }],
  );
});
