import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { RequestGone } from '../../../src/traffic/edge/wire/exchange.ts';
import {
  data,
  getFields,
  headers,
  reset,
  settings,
  windowUpdate,
} from '../../../src/traffic/http2/testing.ts';
import { eventually } from '../../eventually.ts';
import { connectSocket, FrameClient, host, http2UnderTest, NodeClient } from './http2-under-test.ts';

const fields = getFields.map(([name, value]) => [name, name === ':authority' ? host : value] as const);
const post = fields.map(([name, value]) => [name, name === ':method' ? 'POST' : value] as const);

test('serveProxy forwards requests of HTTP/2 as HTTP/1.1', async () => {
  await using under = await http2UnderTest();
  await using client = await NodeClient.connect(under.port);
  const response = await client.send({
    ':authority': host,
    ':path': '/a?b=c',
    cookie: ['a=b', 'c=d'],
    'x-a': 'b',
    te: 'trailers',
  });
  deepEqual([response.status, response.body], [200, 'ok']);
  ok(response.headers['cf-ray']);
  const [first] = under.origin.requests;
  equal(first!.line, 'GET /a?b=c HTTP/1.1');
  deepEqual(first!.headers.slice(0, 3), [
    ['host', host],
    ['cookie', 'a=b; c=d'],
    ['x-a', 'b'],
  ]);
  const judged = under.judged[0]!;
  deepEqual([judged.httpVersion, judged.host, judged.isSecure], ['2', host, true]);
  equal(under.proxy.stats().http2Connections, 1);
});

test('serveProxy serves many streams of one connection at the same time', async () => {
  await using under = await http2UnderTest();
  const waiting: (() => void)[] = [];
  under.origin.reply = (request, socket) => {
    const body = request.line.split(' ')[1]!;
    waiting.push(() => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`));
    // No response is sent before all requests have arrived, and the last one is answered first.
    if (waiting.length === 50) for (const answer of waiting.toReversed()) answer();
  };
  await using client = await NodeClient.connect(under.port);
  const paths = Array.from({ length: 50 }, (_, index) => `/${index}`);
  const answers = await Promise.all(paths.map((path) => client.send({ ':path': path })));
  deepEqual(
    answers.map(({ body }) => body),
    paths,
  );
  equal(under.proxy.stats().connectionsAccepted, 1);
});

test('serveProxy passes bodies in both directions, with and without a length', async () => {
  await using under = await http2UnderTest();
  under.origin.reply = (request, socket) =>
    socket.write(
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${request.body.length.toString(16)}\r\n${request.body}\r\n0\r\n\r\n`,
    );
  await using client = await NodeClient.connect(under.port);
  const body = 'x'.repeat(3_000_000);
  const streamed = await client.send({ ':method': 'POST', ':path': '/' }, body);
  equal(streamed.body.length, body.length);
  match(under.origin.bytes.slice(0, 1_000), /transfer-encoding: chunked/);
  under.origin.reset();
  const measured = await client.send(
    { ':method': 'POST', ':path': '/', 'content-length': body.length },
    body,
  );
  equal(measured.body.length, body.length);
  match(under.origin.bytes.slice(0, 1_000), /content-length: 3000000/);
  equal(measured.headers['transfer-encoding'], undefined);
});

test('serveProxy answers HEAD, 204 and 304 without a body, and passes cookies of responses on one by one', async () => {
  await using under = await http2UnderTest();
  under.origin.reply = (request, socket) => {
    const status = request.line.split(' ')[1]!.slice(1);
    const length = request.line.startsWith('HEAD') ? 'Content-Length: 5\r\n' : '';
    socket.write(
      `HTTP/1.1 ${status} X\r\n${length}Set-Cookie: a=b\r\nSet-Cookie: c=d\r\nConnection: x-hop\r\nX-Hop: 1\r\n\r\n`,
    );
  };
  await using client = await NodeClient.connect(under.port);
  const head = await client.send({ ':method': 'HEAD', ':path': '/200' });
  deepEqual([head.status, head.body, head.headers['content-length']], [200, '', '5']);
  deepEqual(head.headers['set-cookie'], ['a=b', 'c=d']);
  equal(head.headers['x-hop'], undefined);
  for (const status of [204, 304]) equal((await client.send({ ':path': `/${status}` })).status, status);
});

test('serveProxy passes early hints on, unless the response is judged first', async () => {
  for (const isJudged of [false, true]) {
    await using under = await http2UnderTest({
      judge: () => ({
        kind: 'forward',
        zone: 'z',
        origin: under.origin.origin,
        ...(isJudged
          ? {
              inspectResponse: {
                readsBody: () => false,
                heldBytesMax: 10,
                judge: () => ({ answer: undefined, about: { zone: undefined, verdict: 'forwarded' } }),
              },
            }
          : {}),
      }),
    });
    under.origin.reply = (_, socket) =>
      socket.write(
        'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
      );
    await using client = await NodeClient.connect(under.port);
    const { hints, body } = await client.send({ ':path': '/' });
    equal(body, 'ok');
    deepEqual(
      hints.map(({ link }) => link),
      isJudged ? [] : ['</a.css>; rel=preload'],
    );
  }
});

test('serveProxy asks for the body of a client that expects to be asked', async () => {
  await using under = await http2UnderTest();
  await using client = await NodeClient.connect(under.port);
  const stream = client.session.request(
    { ':method': 'POST', ':path': '/', expect: '100-continue' },
    { endStream: false },
  );
  await once(stream, 'continue');
  stream.end('body');
  const [answer] = (await once(stream, 'response')) as [Record<string, unknown>];
  equal(answer[':status'], 200);
  equal(under.origin.requests[0]!.body, 'body');
});

test('serveProxy answers before the body has come, and lets the client know that the rest is not needed', async () => {
  await using under = await http2UnderTest({
    judge: () => ({ kind: 'answer', status: 403, headers: [['X-Reason', 'rule']], body: 'no' }),
  });
  using client = await FrameClient.connect(under.port);
  client.send(headers(1, post, { isEnd: false }), data(1, 'a part'));
  equal(await client.outcome(1), '403');
  const end = await client.frame(({ name }) => name === 'resetStream');
  equal(end.code, 'none');
  client.send(data(1, 'more'), headers(3, fields));
  equal(await client.outcome(3), '403');
});

test('serveProxy closes only the stream of a request that a rule leaves without an answer', async () => {
  await using under = await http2UnderTest({
    judge: ({ target }) =>
      target === '/' ? { kind: 'close' } : { kind: 'answer', status: 200, headers: [], body: '' },
  });
  using client = await FrameClient.connect(under.port);
  client.send(headers(1, fields));
  equal(await client.outcome(1), 'resetStream internal');
  client.send(headers(3, [...fields.slice(0, 3), [':path', '/other']]));
  equal(await client.outcome(3), '200');
});

test('serveProxy ends a response in the middle when its origin does, and only that', async () => {
  await using under = await http2UnderTest();
  under.origin.reply = (_, socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf');
    socket.once('drain', () => {});
    setImmediate(() => socket.destroy());
  };
  using client = await FrameClient.connect(under.port);
  client.send(headers(1, fields));
  equal((await client.frame(({ name }) => name === 'resetStream')).code, 'internal');
  under.origin.reply = (_, socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
  client.send(headers(3, fields));
  equal(await client.outcome(3), '200');
});

test('serveProxy cancels the request to the origin when its stream is reset', async () => {
  await using under = await http2UnderTest();
  under.origin.reply = () => {};
  using client = await FrameClient.connect(under.port);
  client.send(headers(1, fields));
  await eventually(() => under.origin.requests.length === 1);
  client.send(reset(1));
  await eventually(() => under.origin.sockets.size === 0);
  deepEqual(
    under.outcomes.map(({ edgeStatus }) => edgeStatus),
    [499],
  );
  await eventually(() => under.proxy.stats().requests === 0);
});

test('serveProxy stops waiting for a body whose stream is reset', async () => {
  const gone: unknown[] = [];
  await using under = await http2UnderTest({
    judge: async (_, inspect) => {
      await inspect().catch((error: unknown) => gone.push(error));
      throw gone[0];
    },
  });
  using client = await FrameClient.connect(under.port);
  client.send(headers(1, post, { isEnd: false }), data(1, 'a part'));
  await eventually(() => under.judged.length === 1);
  client.send(reset(1));
  await eventually(() => gone.length === 1);
  ok(gone[0] instanceof RequestGone);
});

test('serveProxy reads a response no faster than the client lets it through', async () => {
  await using under = await http2UnderTest();
  const size = 8_000_000;
  let written = 0;
  under.origin.reply = (_, socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`);
    const write = (): void => {
      while (written < size) {
        written += 100_000;
        if (!socket.write(Buffer.alloc(100_000))) return void socket.once('drain', write);
      }
    };
    write();
  };
  using client = await FrameClient.connect(under.port, settings([4, 50_000]));
  client.send(headers(1, fields));
  const received = (): number =>
    client.frames.filter(({ name }) => name === 'data').reduce((sum, { payload }) => sum + payload.length, 0);
  await eventually(() => received() === 50_000);
  ok(written < size, 'the rest waits at the origin');
  client.send(windowUpdate(0, size), windowUpdate(1, size));
  await eventually(() => received() === size);
});

test('serveProxy holds a body back until it is inspected, no more than the window of its stream', async () => {
  const go = Promise.withResolvers<void>();
  await using under = await http2UnderTest({
    judge: async () => {
      await go.promise;
      return { kind: 'forward', zone: 'z', origin: under.origin.origin };
    },
  });
  await using client = await NodeClient.connect(under.port);
  const answer = client.send({ ':method': 'POST', ':path': '/' }, 'x'.repeat(1_000_000));
  await eventually(() => client.session.state.remoteWindowSize! < 900_000);
  equal(under.origin.requests.length, 0);
  go.resolve();
  equal((await answer).status, 200);
  equal(under.origin.requests[0]!.body.length, 1_000_000);
});

test('serveProxy lets requests on their way end when it closes, and tells the client', async () => {
  await using under = await http2UnderTest();
  const waiting: (() => void)[] = [];
  under.origin.reply = (_, socket) =>
    waiting.push(() => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  await using client = await NodeClient.connect(under.port);
  const answer = client.send({ ':path': '/' });
  await eventually(() => waiting.length === 1);
  const goaway = once(client.session, 'goaway');
  const closing = under.proxy.close();
  await goaway;
  for (const go of waiting) go();
  equal((await answer).body, 'ok');
  await closing;
  await rejects(connectSocket(under.port));
});

test('serveProxy speaks HTTP/2 only where it is offered and understood', async () => {
  await using under = await http2UnderTest();
  const [with2, without] = under.proxy.addresses.map(({ port }) => port);
  for (const [port, protocol, chosen] of [
    [with2!, 'h2', 'h2'],
    [with2!, 'http/1.1', 'http/1.1'],
    [without!, 'http/1.1', 'http/1.1'],
  ] as const) {
    const socket = await connectSocket(port, { protocol });
    equal(socket.alpnProtocol, chosen);
    socket.destroy();
  }
  await rejects(connectSocket(without!, { protocol: 'h2' }));
});
