import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { useLightFetch } from './light-fetch.ts';
import { LightResponse, NativeResponse } from './light-response.ts';

before(() => useLightFetch());

/** Runs the same code with Node's class and with ours and compares the visible results. */
async function assertSame(make: (R: typeof Response) => Response): Promise<void> {
  const seen = await Promise.all(
    [NativeResponse, LightResponse as unknown as typeof Response].map(async (R) => {
      try {
        const response = make(R);
        const { status, statusText, ok, type, url, redirected, bodyUsed } = response;
        const hasBody = response.clone().body !== null;
        const text = await response.text();
        return {
          status,
          statusText,
          ok,
          type,
          url,
          redirected,
          bodyUsed,
          hasBody,
          text,
          headers: [...response.headers],
          usedAfter: response.bodyUsed,
        };
      } catch (error) {
        return { error: (error as Error).name };
      }
    }),
  );
  assert.deepEqual(seen[1], seen[0]);
}

test('LightResponse looks like the native Response for simple and for bad arguments', async () => {
  const bytes = new Uint8Array([0xef, 0xbb, 0xbf, 104, 105]);
  const makers: ((R: typeof Response) => Response)[] = [
    (R) => new R(),
    (R) => new R(null),
    (R) => new R(undefined, { status: 204 }),
    (R) => new R('hello'),
    (R) => new R(''),
    (R) => new R('\ufeffmarked \ud800 lone'),
    (R) =>
      new R('x', {
        status: 404,
        statusText: 'Gone Fishing',
        headers: { 'X-A': '1', 'content-type': 'text/html' },
      }),
    (R) =>
      new R('x', {
        headers: [
          ['set-cookie', 'a=1'],
          ['set-cookie', 'b=2'],
          ['x', '1'],
          ['X', '2'],
        ],
      }),
    (R) => new R(bytes),
    (R) => new R(bytes.buffer),
    (R) => new R(new DataView(bytes.buffer, 3)),
    (R) => new R(new URLSearchParams({ a: '1 2' })),
    (R) => new R(new Blob(['blob'], { type: 'image/png' })),
    (R) => new R(ReadableStream.from([Buffer.from('st'), Buffer.from('ream')]) as ReadableStream<Uint8Array>),
    (R) => R.json({ a: [1, null] }),
    (R) => R.json('x', { status: 201, headers: { 'x-b': '2' } }),
    (R) => R.json(1, { headers: { 'content-type': 'application/problem+json' } }),
    (R) => R.json(undefined),
    (R) => R.redirect('http://a.test/x', 301),
    (R) => R.error(),
    (R) => new R('x', { status: 199 }),
    (R) => new R('x', { status: 600 }),
    (R) => new R('x', { status: '201' as unknown as number }),
    (R) => new R('x', { status: 204 }),
    (R) => new R('x', { statusText: 'a\nb' }),
    (R) => new R('x', { headers: { 'bad name': '1' } }),
    (R) => new R('x', { headers: { name: 'bad\nvalue' } }),
    (R) => new R('x', new R(null, { status: 418, headers: { 'x-c': '3' } })),
    (R) => new R(new R('inner').body, new R('y', { status: 202 })),
  ];
  for (const make of makers) await assertSame(make);
});

test('LightResponse copies bytes at construction', async () => {
  const bytes = new Uint8Array([97, 98]);
  const response = new Response(bytes);
  bytes[0] = 120;
  assert.equal(await response.text(), 'ab');
});

test('LightResponse instanceof holds both ways and for subclasses', async () => {
  class Mine extends Response {
    extra = 1;
  }
  const native = new NativeResponse('x');
  const mine = new Mine('mine', { status: 201 });
  assert.ok(native instanceof Response);
  assert.ok(new Response('x') instanceof NativeResponse);
  assert.ok(mine instanceof Mine && mine instanceof Response);
  assert.ok(!(native instanceof Mine) && !(new Response('x') instanceof Mine));
  assert.ok(!({} instanceof Response));
  assert.equal(await mine.text(), 'mine');
  assert.equal(Response.name, 'Response');
  assert.equal(Object.prototype.toString.call(mine), '[object Response]');
});

test('LightResponse body can be read once, whichever way', async () => {
  const twice = new Response('x');
  await twice.text();
  await assert.rejects(twice.json(), TypeError);
  assert.throws(() => twice.clone(), TypeError);
  assert.equal(twice.body!.locked || twice.bodyUsed, true);

  const streamed = new Response('abc');
  const reader = streamed.body!.getReader();
  assert.deepEqual((await reader.read()).value, new Uint8Array([97, 98, 99]));
  assert.equal(streamed.bodyUsed, true);
  await assert.rejects(streamed.text(), TypeError);
});

test('LightResponse clone is independent', async () => {
  const first = new Response('{"a":1}', { headers: { 'x-a': '1' } });
  const second = first.clone();
  second.headers.set('x-a', '2');
  assert.equal(first.headers.get('x-a'), '1');
  assert.deepEqual(await first.json(), { a: 1 });
  assert.deepEqual(new Uint8Array(await second.arrayBuffer()), new TextEncoder().encode('{"a":1}'));
});

test('LightResponse keeps headers that change after construction', () => {
  const response = new Response('x');
  response.headers.set('content-type', 'text/css');
  response.headers.append('x-late', '1');
  assert.deepEqual(
    [...response.headers],
    [
      ['content-type', 'text/css'],
      ['x-late', '1'],
    ],
  );
});

test('LightResponse reads forms and blobs', async () => {
  const form = new FormData();
  form.set('a', 'b');
  assert.equal((await new Response(form).formData()).get('a'), 'b');
  const type = 'application/x-www-form-urlencoded';
  const urlencoded = new Response('a=1&b=2', { headers: { 'content-type': type } });
  assert.equal((await urlencoded.formData()).get('b'), '2');
  const blob = await new Response('x', { headers: { 'content-type': 'text/css' } }).blob();
  assert.deepEqual([blob.type, await blob.text()], ['text/css', 'x']);
});
