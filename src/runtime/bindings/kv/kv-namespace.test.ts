/** KV namespaces: values, types, expiry, lists and what is refused, with the texts of miniflare 4. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { refusalOf, testStart, TestProgram } from '../testing.ts';

const nowSeconds = testStart / 1000;

test('KvNamespace keeps what was put, as every type that can be asked for', async (t) => {
  const program = await TestProgram.open(t);
  const { KV } = program.env;
  equal(await KV.get('none'), null);
  deepEqual(await KV.getWithMetadata('none'), { value: null, metadata: null, cacheStatus: null });
  await KV.put('text', 'käse', { metadata: { kind: 'cheese' } });
  equal(await KV.get('text'), 'käse');
  equal(await KV.get('text', { type: 'text', cacheTtl: 30 }), 'käse');
  deepEqual(await KV.getWithMetadata('text'), {
    value: 'käse',
    metadata: { kind: 'cheese' },
    cacheStatus: null,
  });
  await KV.put('json', '{"a":[1]}');
  deepEqual(await KV.get('json', 'json'), { a: [1] });
  await KV.put('bytes', new Uint8Array([1, 2, 3]).subarray(1));
  deepEqual([...new Uint8Array((await KV.get('bytes', 'arrayBuffer')) as ArrayBuffer)], [2, 3]);
  await KV.put('stream', new Blob(['a stream']).stream());
  equal(await new Response((await KV.get('stream', 'stream')) as ReadableStream).text(), 'a stream');
  await KV.put('number', 5);
  await KV.put('nothing', null);
  deepEqual([await KV.get('number'), await KV.get('nothing')], ['5', 'null']);
  await KV.put('text', 'other');
  deepEqual(await KV.getWithMetadata('text'), { value: 'other', metadata: null, cacheStatus: null });
  await KV.delete('text');
  await KV.delete('text');
  equal(await KV.get('text'), null);
});

test('KvNamespace keeps values of many pieces, across a restart', async (t) => {
  const program = await TestProgram.open(t);
  const value = new Uint8Array(3 * 1024 * 1024 + 7).map((_, at) => at % 251);
  await program.env.KV.put('large', value);
  await program.env.KV.put('empty', '');
  await program.restart();
  deepEqual(new Uint8Array((await program.env.KV.get('large', 'arrayBuffer')) as ArrayBuffer), value);
  equal(await program.env.KV.get('empty'), '');
  await program.env.KV.put('large', 'small');
  equal(await program.env.KV.get('large'), 'small');
});

test('KvNamespace takes the bytes that a value has when put is called', async (t) => {
  const { env } = await TestProgram.open(t);
  const bytes = new Uint8Array([1]);
  const put = env.KV.put('key', bytes);
  bytes[0] = 2;
  await put;
  deepEqual([...new Uint8Array((await env.KV.get('key', 'arrayBuffer')) as ArrayBuffer)], [1]);
});

test('KvNamespace.get takes up to 100 keys at once', async (t) => {
  const { KV } = (await TestProgram.open(t)).env;
  await KV.put('a', '1', { metadata: 'm' });
  await KV.put('b', '{"x":2}');
  deepEqual(
    await KV.get(['a', 'none', 'b']),
    new Map<string, unknown>([
      ['a', '1'],
      ['none', null],
      ['b', '{"x":2}'],
    ]),
  );
  deepEqual(await KV.get(['b'], 'json'), new Map([['b', { x: 2 }]]));
  deepEqual(
    await KV.getWithMetadata(['a', 'none']),
    new Map<string, unknown>([
      ['a', { value: '1', metadata: 'm' }],
      ['none', null],
    ]),
  );
  const many = Array.from({ length: 101 }, (_, at) => String(at));
  equal(
    await refusalOf(() => KV.get(many)),
    'Error: KV GET_BULK failed: 400 You can request a maximum of 100 keys',
  );
  equal(
    await refusalOf(() => KV.get([])),
    'Error: KV GET_BULK failed: 400 You must request a minimum of 1 key',
  );
  equal(
    await refusalOf(() => KV.get(['a'], 'stream')),
    'Error: KV GET_BULK failed: 400 "stream" is not a valid type. Use "json" or "text"',
  );
  await KV.put('x', new Uint8Array(13 * 1024 * 1024));
  equal(
    await refusalOf(() => KV.get(['x', 'x'])),
    'Error: KV GET_BULK failed: 413 Total size of request exceeds the limit of 25MB',
  );
  await KV.put('text', 'no json');
  equal(
    await refusalOf(() => KV.get(['text'], 'json')),
    'Error: KV GET_BULK failed: 400 At least one of the requested keys corresponds to a non-json value',
  );
});

test('KvNamespace forgets entries when they expire, and deletes them by alarm', async (t) => {
  const { env, clock, runtime } = await TestProgram.open(t);
  await env.KV.put('soon', 'a', { expirationTtl: 60 });
  await env.KV.put('later', 'b', { expiration: nowSeconds + 120, metadata: [1] });
  await env.KV.put('never', 'c');
  deepEqual(await env.KV.list(), {
    keys: [
      { name: 'later', expiration: nowSeconds + 120, metadata: [1] },
      { name: 'never' },
      { name: 'soon', expiration: nowSeconds + 60 },
    ],
    list_complete: true,
    cacheStatus: null,
  });
  await clock.advance(59_999);
  equal(await env.KV.get('soon'), 'a');
  await clock.advance(1);
  equal(await env.KV.get('soon'), null);
  await clock.advance(60_000);
  const history = runtime.history(runtime.namespace('kv_namespaces').idFromName('kv'));
  const [newest] = await history.points({ limit: 1 });
  using now = await history.readAt(newest!.bookmark);
  deepEqual([...now.exec('SELECT CAST(key AS TEXT) AS key FROM entries')], [{ key: 'never' }]);
});

test('KvNamespace.list gives keys in the order of their bytes, in parts', async (t) => {
  const { KV } = (await TestProgram.open(t)).env;
  for (const key of ['p:b', 'p:ä', 'p:a', 'q', 'p:😀', 'p']) await KV.put(key, 'x');
  const first = (await KV.list({ prefix: 'p:', limit: 2 })) as { keys: object[]; cursor: string };
  deepEqual(first, {
    keys: [{ name: 'p:a' }, { name: 'p:b' }],
    list_complete: false,
    cursor: first.cursor,
    cacheStatus: null,
  });
  deepEqual(await KV.list({ prefix: 'p:', cursor: first.cursor }), {
    keys: [{ name: 'p:ä' }, { name: 'p:😀' }],
    list_complete: true,
    cacheStatus: null,
  });
  deepEqual(((await KV.list({ limit: 0 })) as { keys: unknown[] }).keys.length, 6);
  deepEqual(await KV.list({ prefix: 'none' }), { keys: [], list_complete: true, cacheStatus: null });
});

test('KvNamespace refuses what Cloudflare refuses', async (t) => {
  const { KV } = (await TestProgram.open(t)).env;
  const long = 'ä'.repeat(256) + 'x';
  const wrongs: [call: () => unknown, text: string][] = [
    [() => KV.get(''), 'TypeError: Key name cannot be empty.'],
    [() => KV.put('.', ''), 'TypeError: "." is not allowed as a key name.'],
    [() => KV.delete('..'), 'TypeError: ".." is not allowed as a key name.'],
    [
      () => KV.get(long),
      'Error: KV GET failed: 414 UTF-8 encoded length of 513 exceeds key length limit of 512.',
    ],
    [
      () => KV.list({ prefix: long }),
      'Error: KV GET failed: 414 UTF-8 encoded length of 513 exceeds key length limit of 512.',
    ],
    [
      () => KV.put('k', {}),
      'TypeError: KV put() accepts only strings, ArrayBuffers, ArrayBufferViews, and ReadableStreams as values.',
    ],
    [
      () => KV.put('k', new Uint8Array(26_214_401)),
      'Error: KV PUT failed: 413 Value length of 26214401 exceeds limit of 26214400.',
    ],
    [
      () => KV.put('k', 'v', { expirationTtl: 59 }),
      'Error: KV PUT failed: 400 Invalid expiration_ttl of 59. Expiration TTL must be at least 60.',
    ],
    [
      () => KV.put('k', 'v', { expirationTtl: 0 }),
      'Error: KV PUT failed: 400 Invalid expiration_ttl of 0. Please specify integer greater than 0.',
    ],
    [
      () => KV.put('k', 'v', { expiration: nowSeconds + 59 }),
      `Error: KV PUT failed: 400 Invalid expiration of ${nowSeconds + 59}. Expiration times must be at least 60 seconds in the future.`,
    ],
    [
      () => KV.put('k', 'v', { expiration: 7 }),
      'Error: KV PUT failed: 400 Invalid expiration of 7. Please specify integer greater than the current number of seconds since the UNIX epoch.',
    ],
    [
      () => KV.put('k', 'v', { metadata: 'x'.repeat(1023) }),
      'Error: KV PUT failed: 413 Metadata length of 1025 exceeds limit of 1024.',
    ],
    [
      () => KV.get('k', { cacheTtl: 29 }),
      'Error: KV GET failed: 400 Invalid cache_ttl of 29. Cache TTL must be at least 30.',
    ],
    [
      () => KV.list({ limit: 1001 }),
      'Error: KV GET failed: 400 Invalid key_count_limit of 1001. Please specify an integer less than 1000.',
    ],
  ];
  const refusals = await Promise.all(wrongs.map(([call]) => refusalOf(call)));
  deepEqual(
    refusals,
    wrongs.map(([, text]) => text),
  );
  await KV.put('k', 'v');
  equal(
    await refusalOf(() => KV.get('k', 'xml')),
    'TypeError: Unknown response type. Possible types are "text", "arrayBuffer", "json", and "stream".',
  );
});
