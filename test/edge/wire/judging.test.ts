import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import type { InspectedBody, Judge, ExchangeOutcome } from '../../../src/traffic/edge/wire/exchange.ts';
import { proxyUnderTest, type ProxyUnderTest } from './proxy-under-test.ts';
import { eventually } from '../../eventually.ts';

function post(body: string): string {
  return `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** Inspects every body, then forwards. */
async function inspecting(
  inspectionBytesMax: number,
): Promise<{ under: ProxyUnderTest; inspected: InspectedBody[] }> {
  const inspected: InspectedBody[] = [];
  const under = await proxyUnderTest({
    limits: { inspectionBytesMax },
    judge: async (_, inspect) => {
      inspected.push(await inspect());
      return { kind: 'forward', zone: 'z', origin: under.origin.origin };
    },
  });
  return { under, inspected };
}

test('inspect gives a body that fits whole, and it is forwarded after', async () => {
  const { under, inspected } = await inspecting(1_000);
  await using _ = under;
  using client = await under.connect();
  client.send(post('hello'));
  equal((await client.response())?.status, 200);
  client.send('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n');
  await eventually(() => under.judged.length === 2);
  client.send('1\r\nf\r\n0\r\n\r\n');
  equal((await client.response())?.status, 200);
  client.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  equal((await client.response())?.status, 200);
  deepEqual(
    inspected.map(({ bytes, isTruncated, declaredLength }) => [
      bytes.toString(),
      isTruncated,
      declaredLength,
    ]),
    [
      ['hello', false, 5],
      ['abcdef', false, undefined],
      ['', false, 0],
    ],
  );
  deepEqual(
    under.origin.requests.map(({ body }) => body),
    ['hello', 'abcdef', ''],
  );
});

test('inspect gives the beginning of a longer body, and all of it is forwarded', async () => {
  const { under, inspected } = await inspecting(10);
  await using _ = under;
  using client = await under.connect();
  for (const body of ['0123456789', '0123456789a', 'x'.repeat(300_000)]) {
    client.send(post(body));
    equal((await client.response())?.status, 200);
    equal(under.origin.requests.at(-1)!.body, body);
    equal(inspected.at(-1)!.bytes.toString(), body.slice(0, 10));
    equal(inspected.at(-1)!.isTruncated, body.length > 10);
  }
});

test('inspect invites the body of a client that waits', async () => {
  const { under } = await inspecting(10);
  await using _ = under;
  using client = await under.connect();
  client.send('POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n');
  equal((await client.response())?.status, 100);
  client.send('abc');
  equal((await client.response())?.status, 200);
  equal(under.origin.requests[0]!.body, 'abc');
});

test('serveProxy notices that a client leaves after its body was inspected', async () => {
  const { under } = await inspecting(1_000);
  await using _ = under;
  under.origin.reply = () => {};
  using client = await under.connect();
  client.send(post('hello'));
  await eventually(() => under.origin.requests.length === 1);
  client.socket.destroy();
  await eventually(() => under.origin.sockets.size === 0, 'an origin without connections');
});

test('inspect rejects when the client leaves, and the judge is not blamed', async () => {
  const { under } = await inspecting(1_000);
  await using _ = under;
  using client = await under.connect();
  client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc');
  await eventually(() => under.judged.length === 1);
  client.socket.destroy();
  await eventually(() => under.proxy.stats().connections === 0);
  equal(under.errors.length, 0);
  equal(under.origin.bytes, '');
});

test('inspect of malformed chunks ends in a refusal, and nothing is forwarded', async () => {
  const { under } = await inspecting(1_000);
  await using _ = under;
  using client = await under.connect();
  client.send('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nX');
  equal((await client.response())?.status, 400);
  equal(under.origin.bytes, '');
  equal(under.errors.length, 0);
});

function proxyDirectedBy(directive: ReturnType<Judge>): Promise<ProxyUnderTest> {
  return proxyUnderTest({ judge: () => directive });
}

test('serveProxy answers in place of the origin, and keeps the connection when it can', async () => {
  const outcomes: ExchangeOutcome[] = [];
  await using under = await proxyDirectedBy({
    kind: 'answer',
    status: 403,
    headers: [['Content-Type', 'text/plain']],
    body: 'Nein, über­haupt nicht',
    onResponse: (outcome) => outcomes.push(outcome),
  });
  using client = await under.connect();
  for (const text of [
    'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
    'HEAD / HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
  ]) {
    client.send(text);
    const response = await client.response(text.slice(0, 4).trim());
    equal(response?.status, 403);
    equal(response.headers.get('content-length'), '24');
  }
  equal(client.isClosed, false);
  client.send(post('a body nobody read'));
  const last = await client.response();
  equal(last?.headers.get('connection'), 'close');
  equal(Buffer.from(last.body, 'latin1').toString(), 'Nein, über­haupt nicht');
  await client.closed();
  equal(under.origin.bytes, '');
  deepEqual(outcomes[0], { originStatus: undefined, edgeStatus: 403, refusal: undefined });
  equal(outcomes.length, 4);
});

test('serveProxy answers a thousand requests at once without a stack of calls', async () => {
  await using under = await proxyDirectedBy({ kind: 'answer', status: 200, headers: [], body: '' });
  using client = await under.connect();
  const count = 2_000;
  client.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(count));
  await eventually(() => client.received.split('200 OK').length - 1 === count, 'all answers');
  equal(new Set(under.judged.map(({ id }) => id)).size, count);
});

test('serveProxy closes without a response', async () => {
  const outcomes: ExchangeOutcome[] = [];
  await using under = await proxyDirectedBy({
    kind: 'close',
    onResponse: (outcome) => outcomes.push(outcome),
  });
  using client = await under.connect();
  client.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await client.closed();
  equal(client.received, '');
  deepEqual(outcomes, [{ originStatus: undefined, edgeStatus: 444, refusal: undefined }]);
});

test('serveProxy forwards nothing when the judge fails', async () => {
  const failing: Judge[] = [
    () => {
      throw new Error('sync');
    },
    () => Promise.reject(new Error('async')),
    () => ({ kind: 'answer', status: 99, headers: [], body: '' }),
    () => ({ kind: 'answer', status: 200, headers: [['X', 'a\r\nSet-Cookie: b']], body: '' }),
  ];
  for (const judge of failing) {
    await using under = await proxyUnderTest({ judge });
    using client = await under.connect();
    client.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const response = await client.response();
    equal(response?.status, 500);
    match(response.body, /judge_failed/);
    equal(under.errors.length, 1);
    equal(under.origin.bytes, '');
  }
});

test('onResponse hears of the origin’s status, and of a refusal in its place', async () => {
  await using under = await proxyUnderTest();
  under.origin.reply = ({ line }, socket) => {
    if (line.includes('/reset')) socket.destroy();
    else socket.write('HTTP/1.1 418 Teapot\r\nContent-Length: 0\r\n\r\n');
  };
  using client = await under.connect();
  client.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await client.response();
  client.send('POST /reset HTTP/1.1\r\nHost: a\r\n\r\n');
  await client.response();
  deepEqual(under.outcomes, [
    { originStatus: 418, edgeStatus: 418, refusal: undefined },
    { originStatus: undefined, edgeStatus: 502, refusal: 'origin_closed' },
  ]);
  equal(under.refused[0]!.refusal.code, 'origin_closed');
  equal(under.refused[0]!.request, under.judged[1]);
});

test('serveProxy tells the judge of a client that left while it was judged', async () => {
  const outcomes: ExchangeOutcome[] = [];
  let decide = (): void => {};
  await using under = await proxyUnderTest({
    judge: () =>
      new Promise((resolve) => {
        decide = () =>
          resolve({
            kind: 'forward',
            zone: 'z',
            origin: under.origin.origin,
            onResponse: (outcome) => outcomes.push(outcome),
          });
      }),
  });
  using client = await under.connect();
  client.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await eventually(() => under.judged.length === 1);
  client.socket.destroy();
  await eventually(() => under.proxy.stats().connections === 0);
  decide();
  await eventually(() => outcomes.length === 1);
  equal(outcomes[0]!.edgeStatus, 499);
  equal(under.origin.connections, 0);
});
