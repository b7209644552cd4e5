import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { useLightFetch } from '../../serve/light-fetch.ts';
import { type Cache, caches } from './cache.ts';
import { CacheStore, type CachedResponse } from './cache-store.ts';
import { freshMsOf } from './freshness.ts';

before(() => useLightFetch());

const url = 'http://a.test/page?q=1';
const fresh = { 'cache-control': 'max-age=60' };

async function keep(cache: Cache, headers: Record<string, string>, body = 'body'): Promise<void> {
  await cache.put(url, new Response(body, { headers: { ...fresh, ...headers } }));
}

test('Cache gives back what was put, until it is deleted', async () => {
  const cache = await caches.open('one');
  assert.equal(await cache.match(url), undefined);
  await keep(cache, { 'x-own': 'yes' });
  const found = await cache.match(`${url}#fragment`);
  assert.deepEqual(
    [
      found?.status,
      found?.headers.get('x-own'),
      found?.headers.get('cf-cache-status'),
      found?.headers.get('age'),
    ],
    [200, 'yes', 'HIT', '0'],
  );
  assert.equal(await found?.text(), 'body');
  assert.equal(await (await cache.match(url))?.text(), 'body');
  assert.equal(await caches.default.match(url), undefined);
  assert.equal(await cache.match(new Request(url, { method: 'POST' })), undefined);
  assert.notEqual(await cache.match(new Request(url, { method: 'POST' }), { ignoreMethod: true }), undefined);
  assert.deepEqual([await cache.delete(url), await cache.delete(url)], [true, false]);
  assert.equal(await cache.match(url), undefined);
});

test('Cache answers conditions and ranges', async () => {
  const cache = await caches.open('two');
  const modified = 'Tue, 01 Jan 2030 00:00:00 GMT';
  await keep(cache, { etag: '"a"', 'last-modified': modified }, '0123456789');
  const ask = async (headers: Record<string, string>): Promise<unknown[]> => {
    const response = await cache.match(new Request(url, { headers }));
    return [response?.status, await response?.text(), response?.headers.get('content-range')];
  };
  assert.deepEqual(await ask({ 'if-none-match': '"b", W/"a"' }), [304, '', null]);
  assert.deepEqual(await ask({ 'if-none-match': '"b"' }), [200, '0123456789', null]);
  assert.deepEqual(await ask({ 'if-modified-since': modified }), [304, '', null]);
  assert.deepEqual(await ask({ range: 'bytes=2-4' }), [206, '234', 'bytes 2-4/10']);
  assert.deepEqual(await ask({ range: 'bytes=8-' }), [206, '89', 'bytes 8-9/10']);
  assert.deepEqual(await ask({ range: 'bytes=-3' }), [206, '789', 'bytes 7-9/10']);
  assert.deepEqual(await ask({ range: 'bytes=10-' }), [416, '', 'bytes */10']);
  assert.deepEqual(await ask({ range: 'bytes=1-2,4-5' }), [200, '0123456789', null]);
});

test('Cache.put refuses what cannot be kept', async () => {
  const cache = await caches.open('three');
  const put = (request: Request | string, response: Response) => cache.put(request, response);
  await assert.rejects(put(new Request(url, { method: 'POST' }), new Response('x')), {
    name: 'TypeError',
    message: 'Cannot cache response to non-GET request.',
  });
  await assert.rejects(put(url, new Response('x', { status: 206 })), /206 Partial Content/);
  await assert.rejects(put(url, new Response('x', { headers: { vary: '*' } })), /Vary: \*/);
});

test('freshMsOf reads the headers as Cloudflare does', () => {
  const now = Date.UTC(2030, 0, 1);
  const cases: [number, Record<string, string>, number][] = [
    [200, {}, 0],
    [200, { 'cache-control': 'max-age=60' }, 60_000],
    [200, { 'cache-control': 'Max-Age=60, s-maxage=5' }, 5_000],
    [200, { 'cache-control': 'max-age=60, no-store' }, 0],
    [200, { 'cache-control': 'max-age=60, private' }, 0],
    [200, { 'cache-control': 'max-age=60', 'set-cookie': 'a=1' }, 0],
    [200, { 'cache-control': 'max-age=60, private=set-cookie', 'set-cookie': 'a=1' }, 60_000],
    [200, { expires: new Date(now + 5_000).toUTCString() }, 5_000],
    [200, { expires: new Date(now - 5_000).toUTCString() }, 0],
    [200, { 'cache-control': 'max-age=soon' }, 0],
    [404, { 'cache-control': 'max-age=60' }, 60_000],
    [500, { 'cache-control': 'max-age=60' }, 0],
  ];
  for (const [status, headers, ms] of cases) {
    assert.equal(
      freshMsOf(new Response('x', { status, headers }), now),
      ms,
      JSON.stringify([status, headers]),
    );
  }
});

test('CacheStore keeps within its bytes what was used last', () => {
  const store = new CacheStore(10 * 1024);
  const entry: CachedResponse = {
    status: 200,
    statusText: '',
    headers: new Headers(),
    body: new Uint8Array(1024),
    storedAt: 0,
    freshUntil: 1,
  };
  for (let i = 0; i < 5; i++) store.set(`key ${i}`, entry);
  store.get('key 0');
  store.set('key 5', entry);
  const kept = [0, 1, 2, 3, 4, 5].filter((i) => store.get(`key ${i}`) !== undefined);
  assert.deepEqual(kept, [0, 2, 3, 4, 5]);
  store.set('too large', { ...entry, body: new Uint8Array(6 * 1024) });
  assert.equal(store.get('too large'), undefined);
});
