import { deepEqual, equal, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { HeadCollector } from '../head-collector.ts';
import { defaultLimits } from '../limits.ts';
import { parseRequestHead } from './parse-request-head.ts';
import { Refusal } from '../refusal.ts';

const sample =
  'POST /a?b=c HTTP/1.1\r\nHost: Example.com.:8080\r\nAccept: text/html\r\nX-A:  b \r\ncontent-length: 3';

test('parseRequestHead returns what is judged and forwarded', () => {
  const head = parseRequestHead(sample, defaultLimits);
  ok(!(head instanceof Refusal));
  const { method, target, httpVersion, headers, host, framing, isKeptAlive, acceptsHtml } = head;
  deepEqual(
    [method, target, httpVersion, host, isKeptAlive, acceptsHtml],
    ['POST', '/a?b=c', '1.1', 'example.com', true, true],
  );
  deepEqual(framing, { kind: 'length', length: 3 });
  deepEqual(headers[2], ['X-A', 'b']);
});

test('parseRequestHead treats every X-Forwarded field as untrusted, also unknown ones', () => {
  const read = (line: string) => parseRequestHead(`GET / HTTP/1.1\r\nHost: a\r\n${line}`, defaultLimits);
  for (const name of ['X-Forwarded-Host', 'X-Forwarded-User', 'x-forwarded-prefix']) {
    const head = read(`${name}: a`);
    ok(!(head instanceof Refusal));
    equal(head.names[1]?.role, 'forwarded', name);
  }
  for (const line of ['X_Forwarded_User: a', 'X-Forwarded_User: a', 'Connection: x-forwarded-user'])
    ok(read(line) instanceof Refusal, line);
});

test('HeadCollector returns the same head wherever the bytes are cut', () => {
  const bytes = Buffer.from(`${sample}\r\n\r\nrest`);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const collector = new HeadCollector(1_000);
    const first = collector.push(bytes.subarray(0, cut));
    const isFirst = typeof first !== 'string';
    const collected = isFirst ? first : collector.push(bytes.subarray(cut));
    ok(typeof collected !== 'string');
    equal(collected.text, sample);
    const last = isFirst ? bytes.subarray(0, cut) : bytes.subarray(cut);
    equal('rest'.startsWith(last.subarray(collected.restOffset).toString()), true);
  }
});

/** Lines that resemble valid ones: valid parts and invalid ones. */
const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('X-A: b', 'Accept: */*', 'Cookie: a=b', 'X: \xe9', 'Connection: keep-alive'),
  },
  fc.constantFrom(
    'Content-Length: 0',
    'Content-Length: 00',
    'Content-Length: 1,1',
    'Transfer-Encoding: chunked',
    'X: a\n b',
  ),
  fc.constantFrom(
    ' X: y',
    'X : y',
    'X\t:y',
    ':',
    'X',
    'X: \0',
    'X: \x7f',
    'Host: b',
    'X:\r',
    'Expect: x',
    'Upgrade: h2c',
  ),
  fc.string({ unit: fc.constantFrom(...'aA-_:; \t\r\n\0\xe9,"'.split('')), maxLength: 8 }),
);
const first = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'GET / HTTP/1.1',
      'GET /x?y HTTP/1.1',
      'DELETE /%00 HTTP/1.1',
      'OPTIONS * HTTP/1.1',
    ),
  },
  fc.constantFrom(
    'GET  / HTTP/1.1',
    'GET / HTTP/1.0',
    'GET /\t HTTP/1.1',
    'GET http://a/ HTTP/1.1',
    ' GET / HTTP/1.1',
  ),
);
const heads = fc
  .tuple(
    first,
    fc.constantFrom('Host: a', 'Host: a:80', 'Host: a b', 'host:a'),
    fc.array(line, { maxLength: 4 }),
  )
  .map(([start, host, lines]) => [start, host, ...lines].join('\r\n'));

test('parseRequestHead accepts nothing that the parser of node:http refuses or reads otherwise', async () => {
  const seen = new Map<string, unknown>();
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    seen.set(request.socket.remotePort!.toString(), [request.method, request.url, request.rawHeaders]);
    response.end();
  });
  // A request with an expectation is treated like any other here.
  server.on('checkExpectation', (_, response) => void response.end());
  server.on('clientError', (_, socket) => void socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(heads, async (text) => {
      const head = parseRequestHead(text, defaultLimits);
      if (head instanceof Refusal) return;
      accepted++;
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      await once(socket, 'connect');
      const key = socket.localPort!.toString();
      const closed = once(socket, 'close');
      socket.on('data', () => socket.destroy());
      // Ends a chunked body without chunks, or starts a request that is never finished.
      socket.write(`${text}\r\n\r\n0\r\n\r\n`, 'latin1');
      await closed;
      const target = head.target === '/' && text.includes('http://a/') ? 'http://a/' : head.target;
      deepEqual(seen.get(key), [head.method, target, head.headers.flat()]);
    }),
    { numRuns: 600, seed: 20_260_101 },
  );
  server.close();
  ok(accepted > 50);
});
