/** The same request by HTTP/1.1 and by HTTP/2: the same for rules, for the origin and for the client. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { WebSocketServer } from 'ws';
import type { SecurityEvent } from '#events';
import type { IncomingRequest } from '#edge';
import {
  data,
  frame,
  frameFlag,
  frameType,
  headers,
  literalBlock,
} from '../../../src/traffic/http2/testing.ts';
import { eventually } from '../../eventually.ts';
import { ServedEdge } from '../served-edge.ts';
import type { ProxyUnderTest } from '../wire/proxy-under-test.ts';
import { RawClient } from '../wire/raw-client.ts';
import { connectSocket, context, FrameClient, host, http2UnderTest } from './http2-under-test.ts';

type Field = readonly [name: string, value: string];

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly fields: readonly Field[];
  readonly body: string | undefined;
  readonly isLengthDeclared: boolean;
}

function addLength({ fields, body, isLengthDeclared }: Sent): readonly Field[] {
  return body !== undefined && isLengthDeclared
    ? [...fields, ['content-length', String(body.length)]]
    : fields;
}

async function sendByHttp1(port: number, sent: Sent, name = host): Promise<number> {
  using client = RawClient.over(await connectSocket(port, { protocol: 'http/1.1', servername: name }));
  const { method, path, body, isLengthDeclared } = sent;
  const fields = [
    ...addLength(sent),
    ...(body !== undefined && !isLengthDeclared ? [['transfer-encoding', 'chunked'] as const] : []),
  ];
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${name}`, ...fields.map((field) => field.join(': '))];
  const chunks = body === '' ? '0\r\n\r\n' : `${(body ?? '').length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  client.send(`${lines.join('\r\n')}\r\n\r\n${body === undefined ? '' : isLengthDeclared ? body : chunks}`);
  return (await client.response(method))!.status;
}

async function sendByHttp2(port: number, sent: Sent, name = host): Promise<number> {
  using client = await FrameClient.connect(port, undefined, name);
  const { method, path, body } = sent;
  const isEnd = body === undefined;
  client.send(
    headers(
      1,
      [[':method', method], [':scheme', 'https'], [':authority', name], [':path', path], ...addLength(sent)],
      { isEnd },
    ),
  );
  if (!isEnd) client.send(data(1, body, { isEnd: true }));
  return Number(await client.outcome(1));
}

const connectFields: readonly (readonly [string, string])[] = [
  [':method', 'CONNECT'],
  [':protocol', 'websocket'],
  [':scheme', 'https'],
  [':authority', host],
  [':path', '/chat'],
  ['sec-websocket-version', '13'],
];

function writeConnect(...more: (readonly [string, string])[]): Buffer {
  return frame(frameType.headers, frameFlag.endHeaders, 1, literalBlock([...connectFields, ...more]));
}

const connectFrame = writeConnect();

/** Without what differs between any two requests. */
function describe(request: IncomingRequest): object {
  const { httpVersion: _, id: _id, receivedAtMs: _at, connection, headers: fields, ...rest } = request;
  const { clientPort: _port, serverPort: _server, ...facts } = connection;
  // HTTP/1.1 uses a field for what HTTP/2 expresses with frames.
  return { ...rest, ...facts, headers: fields.filter(([name]) => name !== 'transfer-encoding') };
}

function describeBytes(under: ProxyUnderTest): string {
  return under.origin.bytes.replaceAll(/cf-ray: [^\r]*/g, 'cf-ray: x');
}

const token = fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/);
const sentByAnybody: fc.Arbitrary<Sent> = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PURGE', 'get', 'TRACE'),
  path: fc.oneof(
    fc.constantFrom('/', '/a?b=c', '//b', '/%2e%2e/', '/a#b', '*', 'x', '/?q=1+union+select'),
    fc.stringMatching(/^\/[!-~]{0,20}$/),
  ),
  fields: fc.array(
    fc.tuple(
      fc.oneof(
        token.map((name) => `x-${name}`),
        fc.constantFrom(
          'accept',
          'cookie-x',
          'authorization',
          'x-forwarded-for',
          'x_real_ip',
          'user-agent',
          'content-type',
          'expect',
          'cdn-loop',
          'x-real-ip',
          'range',
        ),
      ),
      fc.stringMatching(/^[!-~]([ -~\x80-\xff]{0,20}[!-~])?$/),
    ),
    { maxLength: 6 },
  ),
  body: fc.option(fc.stringMatching(/^[ -~]{0,50}$/), { nil: undefined }),
  isLengthDeclared: fc.boolean(),
});

test('serveProxy judges, forwards and answers a request the same by HTTP/1.1 and by HTTP/2', async () => {
  await using under = await http2UnderTest();
  const [port2, port1] = under.proxy.addresses.map(({ port }) => port);
  const run = async (send: () => Promise<number>): Promise<unknown> => {
    under.origin.reset();
    under.judged.length = 0;
    under.refused.length = 0;
    const status = await send();
    return [
      status,
      describeBytes(under),
      under.judged.map(describe),
      under.refused.map(({ refusal }) => refusal.code),
    ];
  };
  await fc.assert(
    fc.asyncProperty(sentByAnybody, async (sent) => {
      const expected = await run(() => sendByHttp1(port1!, sent));
      deepEqual(await run(() => sendByHttp2(port2!, sent)), expected);
    }),
    { numRuns: Number(process.env['GATEHOUSE_DIFFERENTIAL_RUNS'] ?? 60) },
  );
  deepEqual(under.errors, []);
});

let served: ServedEdge;
before(async () => {
  served = await ServedEdge.open({
    listeners: [{ port: 0, isSecure: true }],
    certificateOf: () => context,
  });
});
after(() => served[Symbol.asyncDispose]());

test('Edge writes the same events for a request by HTTP/1.1 and by HTTP/2, but for the name of the protocol', async () => {
  await served.serve('enterprise');
  const zone = served.control.zone('enterprise');
  await served.do(`PUT /zones/${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`, {
    rules: [
      { action: 'log', expression: 'http.cookie contains "a=b; c=d"' },
      { action: 'log', expression: 'http.request.body.raw contains "union"' },
      { action: 'log', expression: 'http.request.version in {"HTTP/1.1" "HTTP/2"}' },
      { action: 'block', expression: 'http.request.uri.path contains "/admin"' },
    ],
  });
  const name = served.host('enterprise');
  const requests: readonly Sent[] = [
    {
      method: 'GET',
      path: '/admin?x=1',
      fields: [['cookie', 'a=b; c=d']],
      body: undefined,
      isLengthDeclared: true,
    },
    {
      method: 'POST',
      path: '/search',
      fields: [['content-type', 'text/plain']],
      body: '1 union select 2',
      isLengthDeclared: true,
    },
    { method: 'POST', path: '/admin', fields: [], body: 'union', isLengthDeclared: false },
  ];
  const describeEvent = (event: SecurityEvent): object =>
    Object.fromEntries(
      Object.entries(event).filter(
        ([key]) =>
          !['rayName', 'originatorRayName', 'id', 'datetime', 'clientRequestHTTPProtocol'].includes(key),
      ),
    );
  for (const sent of requests) {
    const runs: unknown[] = [];
    for (const send of [sendByHttp1, sendByHttp2]) {
      const seen = (await served.events()).length;
      const status = await send(served.port, sent, name);
      runs.push([status, (await served.events()).slice(seen).map(describeEvent)]);
    }
    deepEqual(runs[1], runs[0]);
  }
  const protocols = (await served.events()).map(
    (event) => (event as unknown as Record<string, unknown>)['clientRequestHTTPProtocol'],
  );
  deepEqual([...new Set(protocols)].toSorted(), ['HTTP/1.1', 'HTTP/2']);
});

test('Edge offers HTTP/2 as the zone says, and does not serve it to those who come by another name', async () => {
  await served.serve('enterprise');
  const zone = served.control.zone('enterprise');
  const name = served.host('enterprise');
  const sent: Sent = { method: 'GET', path: '/', fields: [], body: undefined, isLengthDeclared: true };
  equal(await sendByHttp2(served.port, sent, name), 200);
  await served.do(`PATCH /zones/${zone}/settings/http2`, { value: 'off' });
  const socket = await connectSocket(served.port, { protocol: 'http/1.1', servername: name });
  equal(socket.alpnProtocol, 'http/1.1');
  socket.destroy();
  await served.do(`PATCH /zones/${zone}/settings/http2`, { value: 'on' });
  equal(await sendByHttp2(served.port, sent, name), 200);
});

test('serveProxy passes a WebSocket through by HTTP/2 as by HTTP/1.1', async () => {
  const http = createServer();
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const server = new WebSocketServer({ server: http });
  const heads: unknown[] = [];
  server.on('connection', (socket, request) => {
    const { host: _, 'sec-websocket-key': _key, 'cf-ray': _ray, ...rest } = request.headers;
    heads.push([request.method, request.url, rest]);
    socket.on('message', (message: Buffer) => socket.send(`echo ${message.toString()}`));
  });
  const { port } = http.address() as AddressInfo;
  await using under = await http2UnderTest({
    judge: () => ({
      kind: 'forward',
      zone: 'z',
      origin: { scheme: 'http', host: '127.0.0.1', port },
      onResponse: (outcome) => under.outcomes.push(outcome),
    }),
  });
  const [port2, port1] = under.proxy.addresses.map((address) => address.port);
  // A text of five letters, masked with zeros.
  const message = Buffer.from('\x81\x85\0\0\0\0hello', 'latin1');
  const expected = '\x81\x0aecho hello';

  using first = RawClient.over(await connectSocket(port1!, { protocol: 'http/1.1' }));
  first.send(
    `GET /chat HTTP/1.1\r\nhost: ${host}\r\nsec-websocket-version: 13\r\nconnection: upgrade\r\nupgrade: websocket\r\n` +
      'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  await eventually(() => first.received.includes('\r\n\r\n'));
  first.socket.write(message);
  await eventually(() => first.received.endsWith(expected));

  using second = await FrameClient.connect(port2!);
  // The first message arrives before the response.
  second.send(connectFrame, data(1, message));
  equal(await second.outcome(1), '200');
  const received = (): string =>
    second.frames
      .filter(({ name }) => name === 'data')
      .map(({ payload }) => payload.toString('latin1'))
      .join('');
  await eventually(() => received() === expected);
  second.send(data(1, message));
  await eventually(() => received() === expected.repeat(2));

  deepEqual(heads[1], heads[0]);
  deepEqual(under.outcomes[1], under.outcomes[0]);
  second.send(data(1, '', { isEnd: true }));
  await eventually(() => server.clients.size === 1);
  for (const client of server.clients) client.terminate();
  http.close();
  await once(http, 'close');
});

test('serveProxy sends the origin one key of a WebSocket, also if a client of HTTP/2 has sent its own', async () => {
  await using under = await http2UnderTest();
  const key = 'dGhlIHNhbXBsZSBub25jZQ==';
  for (const [sent, wanted] of [
    [writeConnect(['sec-websocket-key', key]), /^dGhlIHNhbXBsZSBub25jZQ==$/],
    [connectFrame, /^[\w+/]{22}==$/],
  ] as const) {
    using client = await FrameClient.connect(under.port);
    client.send(sent);
    await eventually(() => under.judged.length > 0);
    const keys = under.judged.pop()!.headers.filter(([name]) => name === 'sec-websocket-key');
    equal(keys.length, 1);
    match(keys[0]![1], wanted);
  }
});

test('serveProxy does not let a client of HTTP/2 believe in a WebSocket that the origin has not opened', async () => {
  await using under = await http2UnderTest();
  using plain = await FrameClient.connect(under.port);
  plain.send(connectFrame);
  equal(await plain.outcome(1), '502');
  under.origin.reply = (_, socket) =>
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\n\r\n',
    );
  using client = await FrameClient.connect(under.port);
  client.send(connectFrame);
  equal(await client.outcome(1), '502');
});
