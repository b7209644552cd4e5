import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { echo, exchange, last, open, read, serve, timeouts } from './testing.ts';

/** The status and the first code of a response, after checking that it has an envelope. */
function refusalOf(answer: string): [status: number, code: number] {
  const [head, body] = answer.split('\r\n\r\n') as [string, string];
  assert.match(head, /^content-type: application\/json$/im, answer);
  assert.match(head, /^connection: close$/im, answer);
  const envelope = JSON.parse(body);
  assert.equal(typeof envelope.success, 'boolean', answer);
  assert.deepEqual([envelope.success, envelope.result, envelope.messages], [false, null, []]);
  assert.doesNotMatch(body, /\.ts:\d/);
  return [Number(/^HTTP\/1\.1 (\d+)/.exec(head)![1]), envelope.errors[0].code];
}

test('serveApi passes on method, target, headers, address and body', async (t) => {
  const server = await serve(t);
  const answer = await exchange(
    t,
    server,
    `POST /a%2fb/../c?q=%C3%BC HTTP/1.1\r\nHost: h\r\nAuthorization: a\r\nAuthorization: b\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi`,
  );
  assert.deepEqual(JSON.parse(answer.split('\r\n\r\n')[1]!), {
    method: 'POST',
    target: '/a%2fb/../c?q=%C3%BC',
    authorization: 'a, b',
    address: '127.0.0.1',
    body: 'hi',
  });
});

test('serveApi accepts the absolute form of a target, and chunked bodies', async (t) => {
  const server = await serve(t);
  for (const [target, path] of [
    ['http://other.example/x?y', '/x?y'],
    ['HTTPS://other.example', '/'],
    ['http://other.example?y', '/?y'],
  ]) {
    const text = `POST ${target} HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n${last}2\r\nab\r\n1\r\nc\r\n0\r\n\r\n`;
    const said = JSON.parse((await exchange(t, server, text)).split('\r\n\r\n')[1]!);
    assert.deepEqual([said.target, said.body], [path, 'abc']);
  }
});

test('serveApi answers invalid HTTP in the envelope and closes the connection', async (t) => {
  const server = await serve(t);
  const headers = (count: number): string =>
    Array.from({ length: count }, (_, index) => `X-${index}: 1\r\n`).join('');
  const cases: [string, number, number][] = [
    ['nonsense\r\n\r\n', 400, 10400],
    ['\x16\x03\x01\x02\x00', 400, 10400],
    ['PROPFIND2 / HTTP/1.1\r\nHost: h\r\n\r\n', 400, 10400],
    ['GET / HTTP/2.0\r\nHost: h\r\n\r\n', 400, 10400],
    ['GET / HTTP/1.1\r\n\r\n', 400, 10400],
    ['GET / HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n\r\n', 400, 10400],
    ['GET / HTTP/1.1\r\nHost : h\r\n\r\n', 400, 10400],
    ['GET / HTTP/1.1\r\nHost: h\r\nX: \x00\r\n\r\n', 400, 10400],
    ['GET / HTTP/1.1\nHost: h\n\n', 400, 10400],
    ['POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n', 400, 10400],
    ['POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400, 10400],
    [
      'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      10400,
    ],
    ['POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked, identity\r\n\r\n', 400, 10400],
    ['POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 400, 10400],
    [`GET /${'a'.repeat(40_000)} HTTP/1.1\r\nHost: h\r\n\r\n`, 414, 10414],
    [`GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: h\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 414, 10414],
    [`GET / HTTP/1.1\r\nHost: h\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`, 431, 10431],
    [`GET / HTTP/1.1\r\nHost: h\r\n${headers(100)}\r\n`, 431, 10431],
    [`GET / HTTP/1.1\r\nHost: h\r\n${headers(3_000)}\r\n`, 431, 10431],
    ['POST / HTTP/1.1\r\nHost: h\r\nExpect: tea\r\nContent-Length: 0\r\n\r\n', 417, 10417],
    ['CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\n', 405, 10405],
  ];
  for (const [text, status, code] of cases) {
    assert.deepEqual(refusalOf(await exchange(t, server, text)), [status, code], text.slice(0, 60));
  }
  const served = await exchange(t, server, `GET / HTTP/1.1\r\nHost: h\r\n${headers(98)}${last}`);
  assert.match(served, /^HTTP\/1\.1 200 /);
});

test('serveApi answers the requests before a malformed one first', async (t) => {
  const held = Promise.withResolvers<void>();
  const server = await serve(t, {
    answer: async (request) => {
      await held.promise;
      return echo(request);
    },
  });
  const socket = await open(t, server);
  socket.write('GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\nnonsense\r\n\r\n');
  const answers = read(socket);
  while (server.inFlight < 2) await new Promise((resolve) => void setImmediate(resolve));
  held.resolve();
  assert.deepEqual((await answers).match(/HTTP\/1\.1 \d+|"target":"\/\d"/g), [
    'HTTP/1.1 200',
    '"target":"/1"',
    'HTTP/1.1 200',
    '"target":"/2"',
    'HTTP/1.1 400',
  ]);
});

test('serveApi refuses a body over the limit without reading it, announced or not', async (t) => {
  const server = await serve(t);
  const announced = await exchange(
    t,
    server,
    'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999\r\n\r\nabc',
  );
  assert.deepEqual(refusalOf(announced), [413, 10413]);

  const socket = await open(t, server);
  socket.write('POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n');
  const answer = read(socket);
  // Sends while the server reads.
  const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000, 'a'), Buffer.from('\r\n')]);
  let bytesSent = 0;
  const send = (): void => {
    for (let more = true; more && !socket.destroyed; bytesSent += chunk.length) more = socket.write(chunk);
  };
  socket.on('drain', send);
  send();
  assert.deepEqual(refusalOf(await answer), [413, 10413]);
  assert.ok(bytesSent < 64 * 1024 * 1024, `${bytesSent} bytes were taken`);
});

test('serveApi keeps the connection when a short body was not read', async (t) => {
  const server = await serve(t);
  const request = 'DELETE / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n';
  const answers = await exchange(t, server, `${request}\r\n{}${request}${last}{}`);
  assert.equal(answers.match(/HTTP\/1\.1 200 /g)!.length, 2);
});

test('serveApi sends 100 Continue only if the body is needed and not too large', async (t) => {
  const server = await serve(t);
  const expect = 'Host: h\r\nExpect: 100-continue\r\n';
  const socket = await open(t, server);
  socket.write(`POST / HTTP/1.1\r\n${expect}Content-Length: 2\r\n${last}`);
  const [word] = (await once(socket, 'data')) as [Buffer];
  assert.equal(word.toString(), 'HTTP/1.1 100 Continue\r\n\r\n');
  socket.write('hi');
  assert.match(await read(socket), /"body":"hi"/);

  const refused = await exchange(t, server, `POST / HTTP/1.1\r\n${expect}Content-Length: 2000\r\n\r\n`);
  assert.deepEqual(refusalOf(refused), [413, 10413]);
  const unwanted = await exchange(t, server, `DELETE / HTTP/1.1\r\n${expect}Content-Length: 2\r\n\r\n`);
  assert.match(unwanted, /^HTTP\/1\.1 200 [^]*connection: close/i);
});

test('serveApi ends a request that does not arrive in time', async (t) => {
  const server = await serve(t, { timeouts: { ...timeouts, headersMs: 50, requestMs: 100 } });
  const begun = await exchange(t, server, 'GET / HTTP/1.1\r\nHo');
  assert.deepEqual(refusalOf(begun), [408, 10408]);
  const half = await exchange(t, server, 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc');
  assert.deepEqual(refusalOf(half), [408, 10408]);
});

test('serveApi answers HEAD without a body, and 204', async (t) => {
  const server = await serve(t, {
    answer: async ({ target }) => ({
      status: target === '/none' ? 204 : 200,
      headers: {},
      body: target === '/none' ? null : 'text',
    }),
  });
  assert.match(
    await exchange(t, server, `HEAD / HTTP/1.1\r\nHost: h\r\n${last}`),
    /content-length: 4[^]*\r\n\r\n$/,
  );
  const none = await exchange(t, server, `GET /none HTTP/1.1\r\nHost: h\r\n${last}`);
  assert.match(none, /^HTTP\/1\.1 204 [^]*\r\n\r\n$/);
  assert.doesNotMatch(none, /content-length/);
});

test('serveApi waits for a client that reads slowly instead of holding the stream in memory', async (t) => {
  let yielded = 0;
  async function* blocks(): AsyncGenerator<Uint8Array> {
    for (; yielded < 2_000; yielded++) yield new Uint8Array(64 * 1024);
  }
  const server = await serve(t, { answer: async () => ({ status: 200, headers: {}, body: blocks() }) });
  const socket = await open(t, server);
  socket.pause();
  socket.write(`GET / HTTP/1.1\r\nHost: h\r\n${last}`);
  // Once the kernel's buffers are full, the number stays constant.
  for (let before = -1, now = 0; before < now || now === 0; before = now, now = yielded) {
    for (let turn = 0; turn < 500; turn++) await new Promise((resolve) => void setImmediate(resolve));
  }
  assert.ok(yielded < 1_000, `${yielded} blocks were made`);
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
  socket.resume();
  await once(socket, 'close');
  assert.ok(bytes > 2_000 * 64 * 1024);
});

test('serveApi cuts the connection when a stream fails in the middle', async (t) => {
  const errors: unknown[] = [];
  // oxlint-disable-next-line require-yield -- it fails before it yields
  async function* broken(): AsyncGenerator<string> {
    yield 'part';
    throw new Error('broken');
  }
  const server = await serve(t, {
    answer: async () => ({ status: 200, headers: {}, body: broken() }),
    onError: (error) => errors.push(error),
  });
  const answer = await exchange(t, server, 'GET / HTTP/1.1\r\nHost: h\r\n\r\n');
  assert.doesNotMatch(answer, /\r\n0\r\n/);
  assert.match(String(errors), /^Error: broken$/);
});

test('serveApi answers 500 without a reason when a response cannot be created', async (t) => {
  const errors: unknown[] = [];
  const server = await serve(t, {
    answer: () => Promise.reject(new Error('secret reason')),
    onError: (...error) => errors.push(error),
  });
  const answer = await exchange(t, server, 'GET / HTTP/1.1\r\nHost: h\r\n\r\n');
  assert.deepEqual(refusalOf(answer), [500, 10500]);
  assert.doesNotMatch(answer, /secret/);
  const [[error, requestId]] = errors as [[Error, string]];
  assert.equal(error.message, 'secret reason');
  assert.ok(answer.includes(requestId));
});

test('serveApi finishes running responses when it is closed, and then closes their connections', async (t) => {
  const held = Promise.withResolvers<void>();
  const server = await serve(t, {
    answer: async (request) => {
      await held.promise;
      return echo(request);
    },
  });
  const idle = await open(t, server);
  const busy = await open(t, server);
  busy.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
  while (server.inFlight === 0) await new Promise((resolve) => void setImmediate(resolve));
  const closed = server.close({ graceMs: 60_000 });
  await read(idle);
  const answer = read(busy);
  held.resolve();
  assert.match(await answer, /^HTTP\/1\.1 200 [^]*connection: close/i);
  await closed;
});

test('serveApi waits for a head that has begun when it is closed, and not for a silent connection', async (t) => {
  const server = await serve(t);
  const slow = await open(t, server);
  slow.write('GET /slow HTTP/1.1\r\nHo');
  const silent = await open(t, server);
  const closed = server.close({ graceMs: 60_000 });
  assert.equal(await read(silent), '');
  slow.write('st: h\r\n\r\n');
  assert.match(await read(slow), /^HTTP\/1\.1 200 [^]*connection: close[^]*"target":"\/slow"/i);
  await closed;
});

test('serveApi ends a connection whose response had begun when it was closed', async (t) => {
  const held = Promise.withResolvers<void>();
  const server = await serve(t, {
    answer: async () => ({
      status: 200,
      headers: {},
      body: (async function* () {
        yield 'begun';
        await held.promise;
        yield ', ended';
      })(),
    }),
  });
  const socket = await open(t, server);
  socket.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
  await once(socket, 'readable');
  const answer = read(socket);
  const closed = server.close({ graceMs: 60_000 });
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => void setImmediate(resolve));
  held.resolve();
  assert.match(await answer, /begun[^]*, ended/);
  await closed;
});
