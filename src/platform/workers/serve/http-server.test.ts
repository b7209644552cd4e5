import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { connect } from 'node:net';
import { before, test, type TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { type FetchHandler, type HttpServer, type HttpServerOptions, serveHttp } from './http-server.ts';
import { useLightFetch } from './light-fetch.ts';
import { NativeResponse } from './light-response.ts';

before(() => useLightFetch());

type Options = Partial<Omit<HttpServerOptions, 'fetch'>>;

async function serve(t: TestContext, fetch: FetchHandler, options: Options = {}): Promise<HttpServer> {
  const server = await serveHttp({
    fetch,
    port: 0,
    onError: (error) => assert.fail(error as Error),
    ...options,
  });
  t.after(() => server.close({ graceMs: 0 }));
  return server;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: string[];
  readonly body: Buffer;
}

async function call(
  server: HttpServer,
  path: string,
  options: RequestOptions = {},
  body?: string,
): Promise<Answer> {
  const outgoing = httpRequest(server.url, { path, agent: false, ...options });
  outgoing.end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const chunks = await Array.fromAsync(incoming);
  const { statusCode, headers, rawHeaders } = incoming;
  return { status: statusCode!, headers, rawHeaders, body: Buffer.concat(chunks as Buffer[]) };
}

/** Sends bytes unchanged and reads until the server closes. */
async function callRaw(server: HttpServer, text: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.end(text);
  return Buffer.concat((await Array.fromAsync(socket)) as Buffer[]).toString('latin1');
}

test('serveHttp hands over method, URL, headers and body', async (t) => {
  const server = await serve(t, async (request) =>
    Response.json({
      method: request.method,
      url: request.url.replace(/:\d+/, ''),
      header: request.headers.get('x-a'),
      cookie: request.headers.get('cookie'),
      isRequest: request instanceof Request,
      body: await request.text(),
      used: request.bodyUsed,
    }),
  );
  const headers = { 'x-a': ['1', '2'], cookie: 'a=1; b=2' };
  const answer = await call(server, '/a/../b%20?q=%C3%BC', { method: 'POST', headers }, 'grüße');
  assert.deepEqual(JSON.parse(answer.body.toString()), {
    method: 'POST',
    url: 'http://127.0.0.1/b%20?q=%C3%BC',
    header: '1, 2',
    cookie: 'a=1; b=2',
    isRequest: true,
    body: 'grüße',
    used: true,
  });
  assert.equal(answer.headers['content-type'], 'application/json');
  assert.equal(answer.headers['content-length'], String(answer.body.length));
});

test('serveHttp gives every way to read a body, and rejects the second read', async (t) => {
  const readers: Record<string, (request: Request) => Promise<string>> = {
    '/json': async (request) => JSON.stringify(await request.json()),
    '/bytes': async (request) => String(await request.bytes()),
    '/buffer': async (request) => String((await request.arrayBuffer()).byteLength),
    '/blob': async (request) => (await request.blob()).type,
    '/stream': async (request) =>
      (await Array.fromAsync(request.body!)).map((c) => Buffer.from(c).toString()).join(),
    '/clone': async (request) => (await request.clone().text()) + (await request.text()),
    '/new': async (request) => new Request(request).text(),
    '/other-url': async (request) => {
      const copy = new Request('http://other.test/x', request);
      return `${copy.method} ${copy.headers.get('x-a')} ${await copy.text()}`;
    },
    '/twice': async (request) => {
      await request.text();
      return request.text().then(String, (error: Error) => `${error.name}, ${request.body!.locked}`);
    },
    '/none': async (request) => `${request.redirect} ${request.mode} ${request.signal.aborted}`,
  };
  const server = await serve(
    t,
    async (request) => new Response(await readers[new URL(request.url).pathname]!(request)),
  );
  const expected = {
    '/json': '[1]',
    '/bytes': '91,49,93',
    '/buffer': '3',
    '/blob': 'text/x',
    '/stream': '[1]',
    '/clone': '[1][1]',
    '/new': '[1]',
    '/other-url': 'POST yes [1]',
    '/twice': 'TypeError, true',
    '/none': 'manual cors false',
  };
  for (const [path, text] of Object.entries(expected)) {
    const headers = { 'content-type': 'text/x', 'x-a': 'yes' };
    const answer = await call(server, path, { method: 'POST', headers }, '[1]');
    assert.equal(answer.body.toString(), text, path);
  }
});

test('serveHttp forwards an incoming request with fetch', async (t) => {
  const upstream = await serve(
    t,
    async (request) => new Response(`${request.method} ${await request.text()}`),
  );
  const server = await serve(t, (request) => fetch(upstream.url, new Request(request)));
  const answer = await call(server, '/', { method: 'PUT' }, 'body');
  assert.equal(answer.body.toString(), 'PUT body');
  const direct = await serve(t, (request) => {
    const target = new Request(request, { headers: { 'x-b': '1' } });
    return fetch(new URL('/', upstream.url), target);
  });
  assert.equal((await call(direct, '/', { method: 'PUT' }, 'two')).body.toString(), 'PUT two');
});

test('serveHttp sends every kind of answer', async (t) => {
  const answers: Record<string, () => Response | Promise<Response>> = {
    '/text': () => new Response('grüße'),
    '/bytes': () => new Response(new Uint8Array([1, 2, 3])),
    '/empty': () => new Response(null),
    '/204': () => new Response(null, { status: 204 }),
    '/304': () => new Response(null, { status: 304, headers: { etag: '"a"' } }),
    '/phrase': () => new Response('x', { status: 299, statusText: 'Fine Thanks' }),
    '/cookies': () =>
      new Response('x', {
        headers: [
          ['set-cookie', 'a=1'],
          ['set-cookie', 'b=2'],
          ['vary', 'a'],
          ['vary', 'b'],
        ],
      }),
    '/stream': () => new Response(ReadableStream.from(['a', 'b'].map((each) => Buffer.from(each)))),
    '/native': () => new NativeResponse('native'),
    '/redirect': () => Response.redirect('http://a.test/', 302),
    '/wrong-length': () =>
      new Response('right', { headers: { 'content-length': '100', connection: 'close' } }),
  };
  const server = await serve(t, (request) => answers[new URL(request.url).pathname]!());
  const get = (path: string, method = 'GET') => call(server, path, { method });

  assert.equal((await get('/text')).body.toString(), 'grüße');
  assert.equal((await get('/text')).headers['content-length'], '7');
  assert.deepEqual([...(await get('/bytes')).body], [1, 2, 3]);
  assert.equal((await get('/empty')).headers['content-length'], '0');
  assert.deepEqual((await get('/204')).headers['content-length'], undefined);
  const unmodified = await get('/304');
  assert.deepEqual([unmodified.status, unmodified.headers.etag, unmodified.body.length], [304, '"a"', 0]);
  assert.match(await callRaw(server, 'GET /phrase HTTP/1.0\r\n\r\n'), /^HTTP\/1.1 299 Fine Thanks\r\n/);
  const cookies = (await get('/cookies')).headers;
  assert.deepEqual([cookies['set-cookie'], cookies.vary], [['a=1', 'b=2'], 'a, b']);
  assert.equal((await get('/stream')).body.toString(), 'ab');
  assert.equal((await get('/native')).body.toString(), 'native');
  assert.equal((await get('/redirect')).headers.location, 'http://a.test/');
  assert.equal((await get('/wrong-length')).body.toString(), 'right');
  for (const path of Object.keys(answers)) {
    const head = await get(path, 'HEAD');
    assert.equal(head.body.length, 0, path);
  }
  assert.equal((await get('/text', 'HEAD')).headers['content-length'], '7');
});

test('serveHttp encodes what Content-Encoding names, except with encodeBody manual', async (t) => {
  const headers = { 'content-encoding': 'gzip' };
  const server = await serve(t, (request) => {
    if (request.url.endsWith('/automatic')) return new Response('plain', { headers });
    return new Response('as is', { headers, encodeBody: 'manual' } as ResponseInit);
  });
  const automatic = await call(server, '/automatic');
  assert.equal(gunzipSync(automatic.body).toString(), 'plain');
  assert.equal((await call(server, '/manual')).body.toString(), 'as is');
});

test('serveHttp passes on a compressed answer of another server', async (t) => {
  const upstream = await serve(
    t,
    () => new Response('compressed', { headers: { 'content-encoding': 'gzip' } }),
  );
  const server = await serve(t, () => fetch(upstream.url));
  assert.equal(gunzipSync((await call(server, '/')).body).toString(), 'compressed');
});

test('serveHttp answers 500 and goes on when the handler fails', async (t) => {
  const failures: Record<string, () => Response | Promise<Response>> = {
    '/throw': () => {
      throw new Error('secret');
    },
    '/reject': () => Promise.reject(new Error('secret')),
    '/nothing': () => undefined as unknown as Response,
    '/used': async () => {
      const response = new Response('x');
      await response.text();
      return response;
    },
    '/error': () => Response.error(),
  };
  const errors: unknown[] = [];
  const options = { onError: (error: unknown) => void errors.push(error) };
  const handler: FetchHandler = (request) => failures[new URL(request.url).pathname]!();
  const server = await serve(t, handler, options);
  for (const path of Object.keys(failures)) {
    const answer = await call(server, path);
    assert.deepEqual([answer.status, answer.body.toString()], [500, 'internal error\n'], path);
  }
  assert.equal(errors.length, Object.keys(failures).length);
  const verbose = await serve(t, handler, { ...options, showErrors: true });
  assert.match((await call(verbose, '/throw')).body.toString(), /^Error: secret\n {4}at /);
});

test('serveHttp cuts the connection when a stream fails half-way', async (t) => {
  const errors: unknown[] = [];
  const server = await serve(
    t,
    () => {
      const chunks = [Buffer.from('part')].values();
      return new Response(
        new ReadableStream({
          pull(controller) {
            const { value, done } = chunks.next();
            if (done) throw new Error('half-way');
            controller.enqueue(value);
          },
        }),
      );
    },
    { onError: (error) => void errors.push(error) },
  );
  await assert.rejects(call(server, '/'), { code: 'ECONNRESET' });
  assert.match(String(errors[0]), /half-way/);
});

test('serveHttp refuses bodies over the limit, declared or not', async (t) => {
  const server = await serve(t, async (request) => new Response(await request.text()), {
    requestBodyBytesMax: 4,
  });
  const post = (headers: Record<string, string>, body: string) =>
    call(server, '/', { method: 'POST', headers }, body);
  assert.equal((await post({ 'content-length': '5' }, '12345')).status, 413);
  assert.equal((await post({ 'transfer-encoding': 'chunked' }, '12345')).status, 413);
  assert.equal((await post({ 'transfer-encoding': 'chunked' }, '1234')).body.toString(), '1234');
});

test('serveHttp keeps the connection usable when the handler leaves the body unread', async (t) => {
  const server = await serve(t, async (request) => {
    if (request.url.endsWith('/part')) await request.body!.getReader().read();
    return new Response('done');
  });
  const body = 'x'.repeat(300_000);
  for (const path of ['/unread', '/part']) {
    const post = `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const text = await callRaw(server, `${post}GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
    assert.equal(text.match(/HTTP\/1.1 200 OK/g)?.length, 2, path);
  }
});

test('serveHttp aborts the signal and cancels the stream when the client leaves', async (t) => {
  const aborted = Promise.withResolvers<unknown>();
  const cancelled = Promise.withResolvers<void>();
  const server = await serve(t, (request) => {
    request.signal.addEventListener('abort', () => aborted.resolve(request.signal.reason));
    const chunk = new Uint8Array(1024);
    return new Response(
      new ReadableStream({ pull: (c) => c.enqueue(chunk), cancel: () => cancelled.resolve() }),
    );
  });
  const outgoing = httpRequest(server.url).end();
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  incoming.destroy();
  assert.equal(((await aborted.promise) as Error).name, 'AbortError');
  await cancelled.promise;
});

test('serveHttp cancels a stream that comes when its client has left', async (t) => {
  const cancelled = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const server = await serve(t, async ({ signal }) => {
    asked.resolve();
    await once(signal, 'abort');
    return new Response(new ReadableStream({ cancel: () => cancelled.resolve() }));
  });
  const outgoing = httpRequest(server.url).end();
  outgoing.on('error', () => {});
  await asked.promise;
  outgoing.destroy();
  await cancelled.promise;
});

test('serveHttp reads a stream only as fast as its client', async (t) => {
  const chunk = new Uint8Array(64 * 1024);
  const bytesAll = 1_000 * chunk.length;
  let [sent, received, aheadMax] = [0, 0, 0];
  const server = await serve(t, () => {
    const pull = (controller: ReadableStreamDefaultController): void => {
      if (sent === bytesAll) return controller.close();
      controller.enqueue(chunk);
      sent += chunk.length;
      aheadMax = Math.max(aheadMax, sent - received);
    };
    return new Response(new ReadableStream({ pull }));
  });
  const [incoming] = (await once(httpRequest(server.url).end(), 'response')) as [IncomingMessage];
  for await (const part of incoming) received += (part as Buffer).length;
  assert.equal(received, bytesAll);
  // The buffers of both sockets take a few megabytes.
  assert.ok(aheadMax < bytesAll / 2, `${aheadMax} bytes ahead`);
});

test('serveHttp survives requests that are not HTTP, and answers 400 to impossible ones', async (t) => {
  const server = await serve(t, (request) => new Response(new URL(request.url).pathname));
  const head = 'HTTP/1.1\r\nconnection: close\r\nhost:';
  assert.match(await callRaw(server, 'hello?\r\n\r\n'), /^HTTP\/1.1 400 /);
  assert.match(await callRaw(server, `GET / ${head} a b\r\n\r\n`), /^HTTP\/1.1 400 /);
  assert.match(await callRaw(server, `GET / ${head} evil/path\r\n\r\n`), /^HTTP\/1.1 400 /);
  assert.match(await callRaw(server, `GET / ${head} user@evil\r\n\r\n`), /^HTTP\/1.1 400 /);
  assert.match(await callRaw(server, `GET nonsense ${head} a\r\n\r\n`), /^HTTP\/1.1 400 /);
  assert.match(await callRaw(server, `TRACE / ${head} a\r\n\r\n`), /^HTTP\/1.1 405 /);
  assert.match(
    await callRaw(server, `GET / ${head} a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`),
    /^HTTP\/1.1 431 /,
  );
  assert.match(await callRaw(server, `GET //x/./y ${head} a\r\n\r\n`), /\r\n\r\n\/\/x\/y$/);
  assert.match(await callRaw(server, `GET http://other.test/z ${head} a\r\n\r\n`), /\r\n\r\n\/z$/);
  assert.match(await callRaw(server, `OPTIONS * ${head} a\r\n\r\n`), /\r\n\r\n\/$/);
  assert.match(await callRaw(server, 'GET /old HTTP/1.0\r\n\r\n'), /\r\n\r\n\/old$/);
});

test('HttpServer.close waits for answers under way, and no longer than the grace', async (t) => {
  const release = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const server = await serve(t, async () => {
    arrived.resolve();
    await release.promise;
    return new Response('finished');
  });
  const answer = call(server, '/');
  await arrived.promise;
  const closed = server.close({ graceMs: 60_000 });
  // It first accepts pending connections: a few turns without new ones.
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => void setImmediate(resolve));
  await assert.rejects(call(server, '/'), { code: 'ECONNREFUSED' });
  release.resolve();
  assert.equal((await answer).body.toString(), 'finished');
  await closed;

  const stuckArrived = Promise.withResolvers<void>();
  const stuck = await serve(t, () => {
    stuckArrived.resolve();
    return new Promise<Response>(() => {});
  });
  const lost = assert.rejects(call(stuck, '/'), { code: 'ECONNRESET' });
  await stuckArrived.promise;
  await stuck.close({ graceMs: 0 });
  await lost;
});

test('serveHttp rejects when the port is taken', async (t) => {
  const server = await serve(t, () => new Response('x'));
  const port = Number(new URL(server.url).port);
  await assert.rejects(serveHttp({ fetch: () => new Response('x'), port }), { code: 'EADDRINUSE' });
});

test('useLightFetch lets a Worker pass a stream on without duplex', async (t) => {
  const text = (...parts: string[]): ReadableStream =>
    ReadableStream.from(parts.map((part) => Buffer.from(part)));
  assert.equal(await new Request('http://a/', { method: 'POST', body: text('a', 'b') }).text(), 'ab');
  class Mine extends Request {}
  assert.equal(await new Mine('http://a/', { method: 'POST', body: text('mine') }).text(), 'mine');
  const origin = await serve(t, async (request) => new Response(`got ${await request.text()}`));
  const proxy = await serve(t, (request) =>
    fetch(origin.url, { method: request.method, body: request.body }),
  );
  const { body } = await call(proxy, '/', { method: 'POST' }, 'what was sent');
  assert.equal(body.toString(), 'got what was sent');
});
