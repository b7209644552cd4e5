/** R2 buckets: contents, metadata, conditions, ranges, lists, uploads in parts, with the texts of miniflare 4. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as nextImmediate } from 'node:timers/promises';
import { leaveOutEmptyFields } from '../shown-fields.ts';
import { refusalOf, testStart, TestProgram } from '../testing.ts';
import { R2Bucket } from './r2-bucket.ts';
import type { R2BucketObject } from './r2-object.ts';
import type { R2ObjectBody } from './r2-object-body.ts';

const md5 = (bytes: string | Uint8Array): string => createHash('md5').update(bytes).digest('hex');
const textOf = async (body: unknown): Promise<string> => await (body as R2ObjectBody).text();

const noHttpMetadata = {
  contentType: undefined,
  contentLanguage: undefined,
  contentDisposition: undefined,
  contentEncoding: undefined,
  cacheControl: undefined,
  cacheExpiry: undefined,
};

function filesOf({ directory, runtime }: TestProgram): string[] {
  const id = runtime.namespace('r2_buckets').idFromName('bucket').toString();
  return readdirSync(join(directory, 'buckets', id));
}

test('R2Bucket keeps objects with their metadata, across a restart', async (t) => {
  const program = await TestProgram.open(t);
  const put = await program.env.BUCKET.put('a/b', 'hello', {
    httpMetadata: { contentType: 'text/plain', cacheExpiry: new Date(1000) },
    customMetadata: { owner: 'me' },
  });
  deepEqual(
    [put!.key, put!.size, put!.etag, put!.httpEtag, put!.uploaded, put!.storageClass, put!.range],
    ['a/b', 5, md5('hello'), `"${md5('hello')}"`, new Date(testStart), 'Standard', undefined],
  );
  await program.restart();
  const { BUCKET } = program.env;
  const got = (await BUCKET.get('a/b')) as R2ObjectBody;
  deepEqual(
    { ...got.httpMetadata },
    { ...noHttpMetadata, contentType: 'text/plain', cacheExpiry: new Date(1000) },
  );
  deepEqual(got.customMetadata, { owner: 'me' });
  deepEqual(got.range, { offset: 0, length: 5, suffix: undefined });
  deepEqual(JSON.parse(JSON.stringify(got.checksums)), { md5: md5('hello') });
  deepEqual(Buffer.from(got.checksums.md5!).toString('hex'), md5('hello'));
  equal(got.bodyUsed, false);
  equal(await got.text(), 'hello');
  equal(got.bodyUsed, true);
  equal(
    await refusalOf(() => got.text()),
    'TypeError: Body has already been used. It can only be used once. Use tee() first if you need to read it twice.',
  );
  const headers = new Headers();
  got.writeHttpMetadata(headers);
  deepEqual(
    [...headers],
    [
      ['content-type', 'text/plain'],
      ['expires', 'Thu, 01 Jan 1970 00:00:01 GMT'],
    ],
  );
  const head = await BUCKET.head('a/b');
  deepEqual([head!.version, 'body' in head!], [put!.version, false]);
  equal(await BUCKET.head('none'), null);
  equal(await BUCKET.get('none'), null);
  await BUCKET.delete('a/b');
  await BUCKET.delete(['a/b', 'none']);
  equal(await BUCKET.get('a/b'), null);
  deepEqual(filesOf(program), []);
});

test('R2Bucket takes and gives bodies of every kind and size, streamed if they are long', async (t) => {
  const program = await TestProgram.open(t);
  const { BUCKET } = program.env;
  const long = new Uint8Array(1024 * 1024 + 3).map((_, at) => at % 253);
  const bodies: [value: unknown, bytes: Uint8Array][] = [
    [null, new Uint8Array(0)],
    ['ä', Buffer.from('ä')],
    [new Uint8Array([1, 2, 3]).subarray(1), new Uint8Array([2, 3])],
    [new Uint8Array([7]).buffer, new Uint8Array([7])],
    [new Blob(['blob']), Buffer.from('blob')],
    [new Blob(['stream']).stream(), Buffer.from('stream')],
    [long, long],
    [new Blob([long]).stream(), long],
  ];
  for (const [value, bytes] of bodies) {
    const put = await BUCKET.put('key', value);
    deepEqual([put!.size, put!.etag], [bytes.length, md5(bytes)]);
    deepEqual(
      Buffer.from(await ((await BUCKET.get('key')) as R2ObjectBody).arrayBuffer()),
      Buffer.from(bytes),
    );
  }
  const { body } = (await BUCKET.get('key')) as R2ObjectBody;
  const reader = body.getReader();
  const first = await reader.read();
  // Replaced while it is being read; the reader still gets the rest.
  await BUCKET.put('key', 'other');
  let length = (first.value as Uint8Array).length;
  for (let next = await reader.read(); !next.done; next = await reader.read())
    length += (next.value as Uint8Array).length;
  equal(length, long.length);
  equal(filesOf(program).length, 1);
  equal(await textOf(await BUCKET.get('key')), 'other');
});

test('R2Bucket.put compares the checksum that it is given', async (t) => {
  const program = await TestProgram.open(t);
  const { BUCKET } = program.env;
  const sha256 = createHash('sha256').update('x').digest('hex');
  const put = await BUCKET.put('key', 'x', { sha256 });
  deepEqual(JSON.parse(JSON.stringify(put!.checksums)), { md5: md5('x'), sha256 });
  const wrong = '0'.repeat(32);
  equal(
    await refusalOf(() => BUCKET.put('key', 'y', { md5: wrong })),
    `Error: put: The MD5 checksum you specified did not match what we received.\nYou provided a MD5 checksum with value: ${wrong}\nActual MD5 was: ${md5('y')} (10037)`,
  );
  equal(
    await refusalOf(() => BUCKET.put('key', 'y', { md5: 'ab' })),
    'TypeError: MD5 is 32 hex characters, not 2',
  );
  equal(
    await refusalOf(() => BUCKET.put('key', 'y', { sha1: new Uint8Array(3) })),
    'TypeError: SHA-1 is 20 bytes, not 3',
  );
  equal(
    await refusalOf(() => BUCKET.put('key', 'y', { md5: wrong, sha256 })),
    'TypeError: You cannot specify multiple hashing algorithms.',
  );
  equal(await textOf(await BUCKET.get('key')), 'x');
  equal(filesOf(program).length, 1);
});

test('R2Bucket.get gives a range', async (t) => {
  const { BUCKET } = (await TestProgram.open(t)).env;
  await BUCKET.put('key', '0123456789');
  const read = async (range: object): Promise<[string, object | undefined]> => {
    const got = (await BUCKET.get('key', { range })) as R2ObjectBody;
    const { offset, length } = got.range!;
    return [await got.text(), { offset, length }];
  };
  deepEqual(await read({ offset: 2, length: 3 }), ['234', { offset: 2, length: 3 }]);
  deepEqual(await read({ offset: 8, length: 9 }), ['89', { offset: 8, length: 2 }]);
  deepEqual(await read({ length: 2 }), ['01', { offset: 0, length: 2 }]);
  deepEqual(await read({ suffix: 3 }), ['789', { offset: 7, length: 3 }]);
  deepEqual(await read(new Headers({ range: 'bytes=1-2' })), ['12', { offset: 1, length: 2 }]);
  deepEqual(await read(new Headers({ range: 'bytes=7-' })), ['789', { offset: 7, length: 3 }]);
  deepEqual(await read(new Headers({ range: 'bytes=-2' })), ['89', { offset: 8, length: 2 }]);
  deepEqual(await read(new Headers({ range: 'bytes=0-1,3-4' })), ['0123456789', { offset: 0, length: 10 }]);
  const unsatisfiable = 'Error: get: The requested range is not satisfiable (10039)';
  equal(await refusalOf(() => read({ offset: 11 })), unsatisfiable);
  equal(await refusalOf(() => read({ length: 0 })), unsatisfiable);
  equal(
    await refusalOf(() => read({ offset: -1 })),
    'RangeError: Invalid range. Starting offset (-1) must be greater than or equal to 0.',
  );
  equal(
    await refusalOf(() => read({ suffix: 1, offset: 1 })),
    'TypeError: Suffix is incompatible with offset.',
  );
});

test('R2Bucket does what is asked only if the condition holds', async (t) => {
  const program = await TestProgram.open(t);
  const { BUCKET } = program.env;
  const { etag } = (await BUCKET.put('key', 'x'))!;
  const before = new Date(testStart - 1);
  const after = new Date(testStart + 1);
  const conditions: [onlyIf: object, holds: boolean][] = [
    [{ etagMatches: etag }, true],
    [{ etagMatches: 'other' }, false],
    [{ etagMatches: '*' }, true],
    [{ etagDoesNotMatch: etag }, false],
    [{ etagDoesNotMatch: 'other' }, true],
    [{ uploadedBefore: after }, true],
    [{ uploadedBefore: before }, false],
    [{ uploadedAfter: before }, true],
    [{ uploadedAfter: after }, false],
    [{ uploadedAfter: before, secondsGranularity: true }, true],
    [{ etagMatches: etag, uploadedBefore: before }, true],
    [{ etagDoesNotMatch: 'other', uploadedAfter: after }, true],
    [new Headers({ 'if-match': `"a", "${etag}"` }), true],
    [new Headers({ 'if-match': `W/"${etag}"` }), false],
    [new Headers({ 'if-none-match': `W/"${etag}"` }), false],
    [new Headers({ 'if-none-match': '*' }), false],
    [new Headers({ 'if-modified-since': after.toUTCString() }), false],
    [new Headers({ 'if-unmodified-since': new Date(testStart + 1_000).toUTCString() }), true],
  ];
  for (const [onlyIf, holds] of conditions) {
    const got = await BUCKET.get('key', { onlyIf });
    equal('body' in got!, holds, `get ${JSON.stringify(onlyIf)}`);
  }
  equal(await BUCKET.put('key', 'y', { onlyIf: { etagMatches: 'other' } }), null);
  equal(await BUCKET.put('none', 'y', { onlyIf: { etagMatches: etag } }), null);
  ok(await BUCKET.put('new', 'y', { onlyIf: { etagDoesNotMatch: '*' } }));
  equal(await BUCKET.put('new', 'z', { onlyIf: { etagDoesNotMatch: '*' } }), null);
  equal(await textOf(await BUCKET.get('new')), 'y');
  equal(filesOf(program).length, 2);
  equal(
    await refusalOf(() => BUCKET.get('key', { onlyIf: { etagMatches: `"${etag}"` } })),
    `TypeError: Conditional ETag should not be wrapped in quotes ("${etag}").`,
  );
  equal(
    await refusalOf(() => BUCKET.get('key', { onlyIf: new Headers({ 'if-match': '"a' }) })),
    'Error: Unclosed double quote for Etag',
  );
});

interface Listed {
  readonly objects: {
    readonly key: string;
    readonly customMetadata: unknown;
    readonly httpMetadata: unknown;
  }[];
  readonly delimitedPrefixes: string[];
  readonly truncated: boolean;
  readonly cursor?: string;
}

test('R2Bucket.list gives objects in the order of their bytes, in parts, folded at a delimiter', async (t) => {
  const { BUCKET } = (await TestProgram.open(t)).env;
  for (const key of ['b', 'a/1', 'a/2', 'a', 'c/x/y', 'd', 'ä'])
    await BUCKET.put(key, '', { customMetadata: { k: 'v' } });
  const list = async (options?: object): Promise<Listed> => (await BUCKET.list(options)) as Listed;
  const names = ({ objects, delimitedPrefixes }: Listed) => [
    objects.map(({ key }) => key),
    delimitedPrefixes,
  ];
  deepEqual(names(await list()), [['a', 'a/1', 'a/2', 'b', 'c/x/y', 'd', 'ä'], []]);
  deepEqual(names(await list({ prefix: 'a/' })), [['a/1', 'a/2'], []]);
  deepEqual(names(await list({ delimiter: '/' })), [
    ['a', 'b', 'd', 'ä'],
    ['a/', 'c/'],
  ]);
  deepEqual(names(await list({ delimiter: '/', prefix: 'c/' })), [[], ['c/x/']]);
  deepEqual(names(await list({ startAfter: 'b' })), [['c/x/y', 'd', 'ä'], []]);
  const seen: unknown[] = [];
  let cursor: string | undefined;
  do {
    const part = await list({ delimiter: '/', limit: 2, cursor });
    equal(part.truncated, part.cursor !== undefined);
    seen.push(names(part));
    cursor = part.cursor;
  } while (cursor !== undefined);
  deepEqual(seen, [
    [['a'], ['a/']],
    [['b'], ['c/']],
    [['d', 'ä'], []],
  ]);
  const [bare] = (await list({ limit: 1 })).objects;
  deepEqual([bare!.customMetadata, bare!.httpMetadata], [{}, noHttpMetadata]);
  const [full] = (await list({ limit: 1, include: ['customMetadata', 'httpMetadata'] })).objects;
  deepEqual([full!.customMetadata, full!.httpMetadata], [{ k: 'v' }, noHttpMetadata]);
  equal(
    await refusalOf(() => list({ limit: 1001 })),
    'Error: list: MaxKeys params must be positive integer <= 1000. (10022)',
  );
  equal(await refusalOf(() => list({ include: ['x'] })), 'RangeError: Unsupported include value x');
});

test('R2MultipartUpload puts parts together, or none of them', async (t) => {
  const program = await TestProgram.open(t);
  const { BUCKET } = program.env;
  const large = new Uint8Array(5 * 1024 * 1024).fill(1);
  const upload = await BUCKET.createMultipartUpload('big', { customMetadata: { k: 'v' } });
  equal(upload.key, 'big');
  const second = await upload.uploadPart(2, 'end');
  await upload.uploadPart(1, 'replaced');
  const first = await BUCKET.resumeMultipartUpload('big', upload.uploadId).uploadPart(1, large);
  deepEqual(first, { partNumber: 1, etag: md5(large) });
  equal(await BUCKET.head('big'), null);
  equal(
    await refusalOf(() => upload.complete([first, { partNumber: 3, etag: 'x' }])),
    'Error: completeMultipartUpload: One or more of the specified parts could not be found. (10025)',
  );
  const object = await upload.complete([second, first].toReversed());
  deepEqual([object.size, object.customMetadata], [large.length + 3, { k: 'v' }]);
  equal(
    object.etag,
    `${createHash('md5')
      .update(md5(large) + md5('end'), 'hex')
      .digest('hex')}-2`,
  );
  equal(await textOf(await BUCKET.get('big', { range: { suffix: 5 } })), '\u0001\u0001end');
  equal(JSON.stringify((await BUCKET.head('big'))!.checksums), '{}');
  await ((await BUCKET.get('big')) as R2ObjectBody).body.cancel();
  const gone = 'The specified multipart upload does not exist. (10024)';
  equal(await refusalOf(() => upload.uploadPart(1, 'x')), `Error: uploadPart: ${gone}`);
  equal(await refusalOf(() => upload.complete([first])), `Error: completeMultipartUpload: ${gone}`);
  await upload.abort();
  equal((await BUCKET.head('big'))!.size, large.length + 3);
  equal(filesOf(program).length, 2);

  const other = await BUCKET.createMultipartUpload('big');
  const parts = [await other.uploadPart(1, 'small'), await other.uploadPart(2, 'x')];
  equal(
    await refusalOf(() => other.complete(parts)),
    'Error: completeMultipartUpload: Your proposed upload is smaller than the minimum allowed object size. (10011)',
  );
  equal(
    await refusalOf(() => other.uploadPart(10_001, 'x')),
    'TypeError: Part number must be between 1 and 10000 (inclusive). Actual value was: 10001',
  );
  await other.abort();
  await other.abort();
  equal(filesOf(program).length, 2);
  const forgotten = await BUCKET.createMultipartUpload('forgotten');
  await forgotten.uploadPart(1, 'x');
  await program.clock.advance(7 * 86_400_000);
  // Disk operations take real time.
  while (filesOf(program).length > 2) await nextImmediate();
  equal(await refusalOf(() => forgotten.uploadPart(1, 'x')), `Error: uploadPart: ${gone}`);
  await BUCKET.delete('big');
  deepEqual(filesOf(program), []);
});

test('R2Bucket refuses names and metadata that are too long, and leaves no file behind when a body fails', async (t) => {
  const program = await TestProgram.open(t);
  const { BUCKET } = program.env;
  equal(
    await refusalOf(() => BUCKET.put('x'.repeat(1025), '')),
    'Error: put: The specified object name is not valid. (10020)',
  );
  equal(
    await refusalOf(() => BUCKET.put('x', '', { customMetadata: { k: 'x'.repeat(8_192) } })),
    'Error: put: Your metadata headers exceed the maximum allowed metadata size. (10012)',
  );
  equal(
    await refusalOf(() => BUCKET.put('x', ReadableStream.from(['text']))),
    'TypeError: This ReadableStream did not return bytes: its chunks must be ArrayBuffers or ArrayBufferViews.',
  );
  const failing = new ReadableStream({
    pull(controller) {
      controller.error(new Error('the source failed'));
    },
  });
  equal(await refusalOf(() => BUCKET.put('x', failing)), 'Error: the source failed');
  equal(
    await refusalOf(() => BUCKET.put('x', '', { ssecKey: '0' })),
    'Error: ssecKey is not available: buckets here are not encrypted with keys of their users; see docs/build/bindings.md',
  );
  deepEqual(filesOf(program), []);
});

test('R2Bucket leaves out fields without a value, before enable_fast_jsg_struct', async (t) => {
  const { env, runtime } = await TestProgram.open(t);
  const old = new R2Bucket(
    () => runtime.namespace<R2BucketObject>('r2_buckets').getByName('bucket'),
    leaveOutEmptyFields,
  );
  await env.BUCKET.put('a', 'hello', { httpMetadata: { contentType: 'text/plain' } });
  const keysOf = async (bucket: R2Bucket): Promise<unknown[]> => {
    const got = (await bucket.get('a', { range: { suffix: 2 } })) as R2ObjectBody;
    await got.text();
    const list = (await bucket.list({ include: ['httpMetadata'] })) as {
      objects: { httpMetadata: object }[];
    };
    return [
      'suffix' in got.range!,
      Object.keys(got.httpMetadata),
      Object.keys(got.checksums.toJSON()),
      'cursor' in list,
      Object.keys(list.objects[0]!.httpMetadata).length,
    ];
  };
  deepEqual(await keysOf(old), [false, ['contentType'], ['md5'], false, 1]);
  deepEqual(await keysOf(env.BUCKET), [
    true,
    Object.keys(noHttpMetadata),
    ['md5', 'sha1', 'sha256', 'sha384', 'sha512'],
    true,
    6,
  ]);
});
