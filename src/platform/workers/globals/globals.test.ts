import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test, type TestContext } from 'node:test';
import { serveHttp } from '../serve/http-server.ts';
import { useLightFetch } from '../serve/light-fetch.ts';
import { Worker } from '../worker.ts';
import { DigestStream } from './digest-stream.ts';
import { EventSource } from './event-source.ts';
import { FixedLengthStream } from './fixed-length-stream.ts';
import { IdentityTransformStream } from './identity-transform-stream.ts';
import { scheduler } from './scheduler.ts';

before(() => useLightFetch());

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** A Worker whose module answers with the result of its `run`, as JSON. */
async function runInWorker(
  t: TestContext,
  imports: string,
  body: string,
): Promise<{ url: string; said: string[] }> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-globals-'));
  const source = `
    import { DurableObject } from 'cloudflare:workers';
    ${imports}
    export class Box extends DurableObject { exportsOf() { return Object.keys(this.ctx.exports); } }
    export default { async fetch(request, env, ctx) { return Response.json(await (async () => { ${body} })()); } };`;
  writeFileSync(join(directory, 'index.js'), source);
  const said: string[] = [];
  const say = (text: unknown): void => void said.push(String(text));
  const log = { info: say, warn: say, error: say };
  const worker = await Worker.start({ path: join(directory, 'index.js'), log, durability: 'os' });
  const server = await serveHttp({ fetch: (request) => worker.fetch(request), port: 0, onError: say });
  t.after(async () => {
    await server.close({ graceMs: 0 });
    await worker.close();
    rmSync(directory, { recursive: true });
  });
  return { url: server.url, said };
}

test('IdentityTransformStream hands a write over when somebody reads it', async () => {
  const { readable, writable } = new IdentityTransformStream();
  const writer = writable.getWriter();
  let isWritten = false;
  const written = writer.write(bytes('abcdef')).then(() => (isWritten = true));
  const reader = readable.getReader({ mode: 'byob' });
  const first = await reader.read(new Uint8Array(4));
  assert.equal(Buffer.from(first.value!).toString(), 'abcd');
  assert.equal(isWritten, false);
  const second = await reader.read(new Uint8Array(4));
  assert.equal(Buffer.from(second.value!).toString(), 'ef');
  await written;
  const last = reader.read(new Uint8Array(4));
  await writer.close();
  assert.equal((await last).done, true);
});

test('IdentityTransformStream passes an abort and a cancel on', async () => {
  const aborted = new IdentityTransformStream();
  const reading = aborted.readable.getReader().read();
  await aborted.writable.abort(new RangeError('stop'));
  await assert.rejects(reading, /stop/);
  const cancelled = new IdentityTransformStream();
  const writing = cancelled.writable.getWriter().write(bytes('x'));
  await cancelled.readable.cancel(new RangeError('enough'));
  await assert.rejects(writing, /enough/);
});

test('FixedLengthStream says how long a response is, and fails a reader of too few or too many bytes', async (t) => {
  const server = await serveHttp({
    port: 0,
    fetch: () => {
      const { readable, writable } = new FixedLengthStream(5);
      const writer = writable.getWriter();
      void writer.write(bytes('hello')).then(() => writer.close());
      return new Response(readable);
    },
  });
  t.after(() => server.close({ graceMs: 0 }));
  const response = await fetch(server.url);
  assert.deepEqual([response.headers.get('content-length'), await response.text()], ['5', 'hello']);
  for (const [length, message] of [
    [6, /did not see all expected bytes/],
    [4, /too many bytes/],
  ] as const) {
    const { readable, writable } = new FixedLengthStream(length);
    const writer = writable.getWriter();
    void writer
      .write(bytes('hello'))
      .then(() => writer.close())
      .catch(() => {});
    await assert.rejects(new Response(readable).text(), message);
  }
  assert.throws(() => new FixedLengthStream(2 ** 53), TypeError);
});

test('DigestStream digests what is piped into it', async () => {
  const stream = new DigestStream('SHA-256');
  await new Response('piped').body!.pipeTo(stream);
  assert.equal(
    Buffer.from(await stream.digest).toString('hex'),
    createHash('sha256').update('piped').digest('hex'),
  );
  assert.equal(stream.bytesWritten, 5n);
  assert.throws(() => new DigestStream('SHA-3'), { name: 'NotSupportedError' });
});

test('scheduler.wait rejects with the reason of its signal', async () => {
  const controller = new AbortController();
  const waiting = scheduler.wait(1_000_000, { signal: controller.signal });
  controller.abort(new RangeError('why'));
  await assert.rejects(waiting, /why/);
  await assert.rejects(scheduler.wait(1, { signal: AbortSignal.abort() }), {
    message: 'The operation was aborted',
  });
});

test('EventSource connects again with the last id, until it is closed', async (t) => {
  const asked: (string | null)[] = [];
  const server = await serveHttp({
    port: 0,
    fetch: (request) => {
      asked.push(request.headers.get('last-event-id'));
      const headers = { 'content-type': 'text/event-stream' };
      return new Response(`retry: 1\nid: ${asked.length}\ndata: event ${asked.length}\n\n`, { headers });
    },
  });
  t.after(() => server.close({ graceMs: 0 }));
  const source = new EventSource(server.url);
  const heard: string[] = [];
  await new Promise<void>((resolve) =>
    source.addEventListener('message', (event) => {
      heard.push((event as MessageEvent).data as string);
      if (heard.length === 3) resolve();
    }),
  );
  source.close();
  assert.deepEqual(heard, ['event 1', 'event 2', 'event 3']);
  assert.deepEqual(asked.slice(0, 3), [null, '1', '2']);
  assert.equal(source.readyState, 2);
});

test('a Worker has the globals and modules of the platform', async (t) => {
  const echo = createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  t.after(() => echo.close());
  const { port } = echo.address() as AddressInfo;
  const imports = `
    import { env as ambient, exports, RpcPromise, ServiceStub, withEnv, tracing, cache } from 'cloudflare:workers';
    import { EmailMessage } from 'cloudflare:email';
    import { connect } from 'cloudflare:sockets';`;
  const body = `
    const socket = connect('127.0.0.1:${port}');
    await socket.opened;
    const writer = socket.writable.getWriter();
    await writer.write(new TextEncoder().encode('over TCP'));
    const { value } = await socket.readable.getReader().read();
    await socket.close();
    const refused = await connect({ hostname: '127.0.0.1', port: 1 }).opened.catch((error) => error.message);
    reportError(new Error('reported'));
    const box = env.Box.getByName('a');
    return {
      tcp: new TextDecoder().decode(value),
      refused,
      missingPort: (() => { try { connect('a.test'); } catch (error) { return error.message; } })(),
      mail: new EmailMessage('a@x', 'b@x', 'raw').to,
      agent: navigator.userAgent,
      equal: crypto.subtle.timingSafeEqual(new Uint8Array([1]), new Uint8Array([1])),
      other: withEnv({ NAME: 'other' }, () => ambient.NAME),
      stub: [box instanceof ServiceStub, box.exportsOf() instanceof RpcPromise],
      exports: [Object.keys(ctx.exports), Object.keys(exports), await box.exportsOf()],
      span: tracing.enterSpan('x', (span, n) => n + 1, 4),
      cf: [typeof request.cf.country, new Request(request).cf === request.cf, request.clone().cf === request.cf, new Request(request, { cf: 1 }).cf],
      ip: request.headers.get('cf-connecting-ip'),
      absent: (() => { try { return cache.put; } catch (error) { return error.message; } })(),
    };`;
  const { url, said } = await runInWorker(t, imports, body);
  assert.deepEqual(await (await fetch(url)).json(), {
    tcp: 'over TCP',
    refused: 'proxy request failed, cannot connect to the specified address',
    missingPort: 'Specified address is missing port.',
    mail: 'b@x',
    agent: 'Cloudflare-Workers',
    equal: true,
    other: 'other',
    stub: [true, true],
    exports: Array(3).fill(['Box', 'default']),
    span: 5,
    cf: ['string', true, true, 1],
    ip: '127.0.0.1',
    absent:
      'cache.put of cloudflare:workers is not available here; see docs/reference/objects.md, "Workers APIs"',
  });
  assert.match(said.join(), /reported/);
});

test('bodies of requests are byte streams, read into memory of the reader, also when they were cloned', async (t) => {
  const { url } = await runInWorker(
    t,
    '',
    `const copy = request.clone();
     const reader = copy.body.getReader({ mode: 'byob' });
     const first = await reader.readAtLeast(7, new Uint8Array(10));
     const rest = await reader.read(new Uint8Array(10));
     const end = await reader.read(new Uint8Array(10));
     const text = (part) => new TextDecoder().decode(part.value);
     return [text(first).length >= 7, text(first) + text(rest), end.done, end.value.length, await request.text()];`,
  );
  const body = ReadableStream.from(['hello', ' wor', 'ld'].map((text) => bytes(text)));
  const response = await fetch(url, { method: 'POST', body, duplex: 'half' });
  assert.deepEqual(await response.json(), [true, 'hello world', true, 0, 'hello world']);
});

test('Headers.getAll gives cookies one by one, and nothing else', async (t) => {
  const { url } = await runInWorker(
    t,
    '',
    `const headers = new Headers([['set-cookie', 'a=1'], ['set-cookie', 'b=2']]);
     try { headers.getAll('accept'); } catch ({ message }) { return [headers.getAll('Set-Cookie'), message]; }`,
  );
  assert.deepEqual(await (await fetch(url)).json(), [
    ['a=1', 'b=2'],
    'getAll() can only be used with the header name "Set-Cookie".',
  ]);
});
