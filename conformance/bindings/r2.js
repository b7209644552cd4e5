/** Questions about R2 buckets. Each has keys of its own, named after it. */
import { describe, how } from '../modules/describe.js';

/** What is the same wherever an object is. */
async function plain(object) {
  if (object === null || object === undefined) return object;
  const { version, uploaded, checksums } = object;
  const shown = {
    key: object.key,
    size: object.size,
    etag: object.etag,
    httpEtag: object.httpEtag,
    httpMetadata: object.httpMetadata,
    customMetadata: object.customMetadata,
    range: object.range,
    checksums: checksums.toJSON(),
    md5: checksums.md5,
    known: [typeof version, uploaded instanceof Date],
  };
  return 'body' in object ? { ...shown, text: await object.text() } : shown;
}

const get = (BUCKET, key, options) => how(async () => plain(await BUCKET.get(key, options)));

const putThenGet =
  (value, options) =>
  async ({ BUCKET }, name) => [
    await how(async () => plain(await BUCKET.put(name, value(), options))),
    await get(BUCKET, name),
  ];

const range =
  (given) =>
  async ({ BUCKET }, name) => {
    await BUCKET.put(name, '0123456789');
    return get(BUCKET, name, { range: given() });
  };

const etagOfX = '9dd4e461268c8034f5c8564e155c67a6';
const past = new Date(0);
const future = new Date(4_000_000_000_000);

/** Whether a condition lets a get and a put through. */
const condition =
  (given) =>
  async ({ BUCKET }, name) => {
    await BUCKET.put(name, 'x');
    return [
      await how(async () => 'body' in (await BUCKET.get(name, { onlyIf: given() }))),
      await how(async () => (await BUCKET.put(name, 'y', { onlyIf: given() })) === null),
      await how(async () => (await BUCKET.put(`${name}-new`, 'y', { onlyIf: given() })) === null),
    ];
  };

const sum = async (algorithm, text) =>
  [...new Uint8Array(await crypto.subtle.digest(algorithm, new TextEncoder().encode(text)))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');

const put =
  (options) =>
  ({ BUCKET }, name) =>
    how(async () => plain(await BUCKET.put(name, 'x', await options())));

async function fill(BUCKET, name, keys) {
  for (const key of keys)
    await BUCKET.put(`${name}/${key}`, key, {
      customMetadata: { k: 'v' },
      httpMetadata: { contentType: 'a/b' },
    });
}

async function list(BUCKET, name, options = {}) {
  const found = await BUCKET.list({ prefix: `${name}/`, ...options });
  return describe({
    objects: found.objects.map(({ key, customMetadata, httpMetadata }) => [
      key,
      customMetadata,
      httpMetadata,
    ]),
    truncated: found.truncated,
    cursor: typeof found.cursor,
    delimitedPrefixes: found.delimitedPrefixes,
  });
}

const large = () => new Uint8Array(5 * 1024 * 1024).fill(97);

export const r2Probes = {
  'head and get of a key that is not there': async ({ BUCKET }) => [
    await BUCKET.head('none'),
    await BUCKET.get('none'),
  ],
  'delete of a key that is not there': ({ BUCKET }) => how(() => BUCKET.delete('none')),
  'put of a text': putThenGet(() => 'ä'),
  'put of an empty text': putThenGet(() => ''),
  'put of null': putThenGet(() => null),
  'put of a buffer': putThenGet(() => new Uint8Array([65, 66]).buffer),
  'put of a view': putThenGet(() => new Uint8Array([65, 66, 67]).subarray(1)),
  'put of a Blob': putThenGet(() => new Blob(['blob'])),
  'put of the body of a response': putThenGet(() => new Response('body').body),
  'put of a stream of unknown length': putThenGet(
    () => new ReadableStream({ start: (controller) => controller.close() }),
  ),
  'put of a number': putThenGet(() => 5),
  'put of an object': putThenGet(() => ({})),
  'put with metadata': putThenGet(() => 'x', {
    httpMetadata: {
      contentType: 'text/x',
      contentLanguage: 'en',
      contentDisposition: 'inline',
      contentEncoding: 'identity',
      cacheControl: 'no-store',
      cacheExpiry: new Date(1000),
    },
    customMetadata: { a: '1', b: 'ä' },
  }),
  'put with headers as metadata': putThenGet(() => 'x', {
    httpMetadata: new Headers({
      'content-type': 'text/y',
      expires: 'Thu, 01 Jan 1970 00:00:01 GMT',
      'x-other': '1',
    }),
  }),
  storageClass: async ({ BUCKET }, name) => [
    (await BUCKET.put(name, 'x')).storageClass,
    (await BUCKET.put(name, 'x', { storageClass: 'InfrequentAccess' })).storageClass,
    (await BUCKET.head(name)).storageClass,
  ],
  'put with null options': putThenGet(() => 'x', null),
  'put with custom metadata that is no text': putThenGet(() => 'x', { customMetadata: { a: 1, b: true } }),
  head: async ({ BUCKET }, name) => {
    await BUCKET.put(name, 'x', { customMetadata: { a: '1' } });
    const object = await BUCKET.head(name);
    return [await plain(object), 'body' in object];
  },
  'put replaces metadata': async ({ BUCKET }, name) => {
    await BUCKET.put(name, 'x', { customMetadata: { a: '1' } });
    await BUCKET.put(name, 'y');
    return get(BUCKET, name);
  },
  'delete of several': async ({ BUCKET }, name) => {
    await fill(BUCKET, name, ['a', 'b', 'c']);
    await BUCKET.delete([`${name}/a`, `${name}/c`, 'none']);
    return list(BUCKET, name);
  },
  'key of 1024 bytes': ({ BUCKET }) => how(() => BUCKET.head('x'.repeat(1024))),
  'key of 1025 bytes': async ({ BUCKET }) => [
    await how(() => BUCKET.head('x'.repeat(1025))),
    await how(() => BUCKET.get('x'.repeat(1025))),
    await how(() => BUCKET.put('x'.repeat(1025), '')),
    await how(() => BUCKET.delete('x'.repeat(1025))),
  ],
  'custom metadata of 2048 bytes': put(() => ({ customMetadata: { k: 'x'.repeat(2047) } })),
  'custom metadata of 2049 bytes': put(() => ({ customMetadata: { k: 'x'.repeat(2048) } })),
  'custom metadata of 8193 bytes': put(() => ({ customMetadata: { k: 'x'.repeat(8192) } })),
  'md5 that matches': put(() => ({ md5: etagOfX })),
  'md5 in capitals': put(() => ({ md5: etagOfX.toUpperCase() })),
  'md5 that does not': put(() => ({ md5: '0'.repeat(32) })),
  'md5 of a wrong length': put(() => ({ md5: 'ab' })),
  'md5 of no digits': put(() => ({ md5: 'z'.repeat(32) })),
  'md5 as bytes of a wrong length': put(() => ({ md5: new Uint8Array(3) })),
  'sha1 that matches': put(async () => ({ sha1: await sum('SHA-1', 'x') })),
  'sha256 that matches': put(async () => ({ sha256: await sum('SHA-256', 'x') })),
  'sha384 that matches': put(async () => ({ sha384: await sum('SHA-384', 'x') })),
  'sha512 as bytes': put(async () => ({
    sha512: await crypto.subtle.digest('SHA-512', new TextEncoder().encode('x')),
  })),
  'sha256 that does not': put(() => ({ sha256: '0'.repeat(64) })),
  'two sums': put(() => ({ md5: etagOfX, sha1: '0'.repeat(40) })),
  'range of offset and length': range(() => ({ offset: 2, length: 3 })),
  'range of an offset': range(() => ({ offset: 7 })),
  'range of a length': range(() => ({ length: 4 })),
  'range beyond the end': range(() => ({ offset: 8, length: 9 })),
  'range at the end': range(() => ({ offset: 10 })),
  'range behind the end': range(() => ({ offset: 11 })),
  'range of nothing': range(() => ({ length: 0 })),
  'range of a suffix': range(() => ({ suffix: 3 })),
  'range of a long suffix': range(() => ({ suffix: 30 })),
  'range of no suffix': range(() => ({ suffix: 0 })),
  'range of a negative offset': range(() => ({ offset: -1 })),
  'range of a fraction': range(() => ({ offset: 1.5 })),
  'range of a suffix and an offset': range(() => ({ suffix: 1, offset: 1 })),
  'range of an empty object': range(() => ({})),
  ...Object.fromEntries(
    [
      'bytes=1-2',
      'bytes=7-',
      'bytes=-2',
      'bytes=0-0',
      'bytes=20-',
      'bytes=0-1,3-4',
      'lines=1-2',
      'bytes=5-2',
    ].map((header) => [`range header ${header}`, range(() => new Headers({ range: header }))]),
  ),
  etagMatches: condition(() => ({ etagMatches: etagOfX })),
  'etagMatches another': condition(() => ({ etagMatches: 'other' })),
  'etagMatches *': condition(() => ({ etagMatches: '*' })),
  'etagMatches in quotes': condition(() => ({ etagMatches: `"${etagOfX}"` })),
  etagDoesNotMatch: condition(() => ({ etagDoesNotMatch: etagOfX })),
  'etagDoesNotMatch another': condition(() => ({ etagDoesNotMatch: 'other' })),
  'etagDoesNotMatch *': condition(() => ({ etagDoesNotMatch: '*' })),
  'uploadedBefore the past': condition(() => ({ uploadedBefore: past })),
  'uploadedBefore the future': condition(() => ({ uploadedBefore: future })),
  'uploadedAfter the past': condition(() => ({ uploadedAfter: past })),
  'uploadedAfter the future': condition(() => ({ uploadedAfter: future })),
  'etagMatches and uploadedBefore the past': condition(() => ({
    etagMatches: etagOfX,
    uploadedBefore: past,
  })),
  'etagDoesNotMatch another and uploadedAfter the future': condition(() => ({
    etagDoesNotMatch: 'other',
    uploadedAfter: future,
  })),
  ...Object.fromEntries(
    [
      ['if-match', `"${etagOfX}"`],
      ['if-match', `"a", "${etagOfX}"`],
      ['if-match', `W/"${etagOfX}"`],
      ['if-match', '*'],
      ['if-match', '"open'],
      ['if-match', `"a" "${etagOfX}"`],
      ['if-match', 'bare'],
      ['if-none-match', `"${etagOfX}"`],
      ['if-none-match', `W/"${etagOfX}"`],
      ['if-none-match', '"other"'],
      ['if-modified-since', future.toUTCString()],
      ['if-modified-since', past.toUTCString()],
      ['if-unmodified-since', past.toUTCString()],
    ].map(([name, value]) => [`header ${name}: ${value}`, condition(() => new Headers({ [name]: value }))]),
  ),
  'list of nothing': ({ BUCKET }) => list(BUCKET, 'nothing'),
  'list in order': async ({ BUCKET }, name) => {
    await fill(BUCKET, name, ['b', 'a', 'B', 'a/b', 'a.b']);
    return list(BUCKET, name);
  },
  'list with a delimiter': async ({ BUCKET }, name) => {
    await fill(BUCKET, name, ['a', 'a/1', 'a/2', 'b', 'c/x/y', 'd']);
    return [
      await list(BUCKET, name, { delimiter: '/' }),
      await list(BUCKET, name, { delimiter: '/', prefix: `${name}/c/` }),
      await list(BUCKET, name, { delimiter: '' }),
    ];
  },
  'list in parts': async ({ BUCKET }, name) => {
    await fill(BUCKET, name, ['1', '2', '3', '4', '5']);
    const parts = [];
    let cursor;
    do {
      parts.push(await list(BUCKET, name, { limit: 2, cursor }));
      ({ cursor } = await BUCKET.list({ prefix: `${name}/`, limit: 2, cursor }));
    } while (cursor !== undefined);
    return parts;
  },
  'list with startAfter': async ({ BUCKET }, name) => {
    await fill(BUCKET, name, ['a', 'b', 'c']);
    return [
      await list(BUCKET, name, { startAfter: `${name}/a` }),
      await list(BUCKET, name, { startAfter: `${name}/aa` }),
    ];
  },
  'list with include': async ({ BUCKET }, name) => {
    await fill(BUCKET, name, ['a']);
    return [
      await list(BUCKET, name, { include: [] }),
      await list(BUCKET, name, { include: ['customMetadata'] }),
      await list(BUCKET, name, { include: ['httpMetadata', 'customMetadata'] }),
      await how(() => BUCKET.list({ include: ['x'] })),
    ];
  },
  'list with limits': async ({ BUCKET }) => [
    await how(async () => (await BUCKET.list({ prefix: 'nothing/', limit: 1000 })).truncated),
    await how(() => BUCKET.list({ limit: 1001 })),
    await how(() => BUCKET.list({ limit: 0 })),
    await how(async () => (await BUCKET.list({ prefix: 'nothing/', limit: -1 })).truncated),
  ],
  multipart: async ({ BUCKET }, name) => {
    const upload = await BUCKET.createMultipartUpload(name, {
      customMetadata: { k: 'v' },
      httpMetadata: { contentType: 'a/b' },
    });
    const parts = [await upload.uploadPart(1, large()), await upload.uploadPart(2, 'end')];
    const hidden = await BUCKET.head(name);
    const object = await upload.complete(parts);
    return describe([
      upload.key,
      typeof upload.uploadId,
      parts.map(({ partNumber, etag }) => [partNumber, typeof etag]),
      hidden,
      await plain(object),
      await plain(await BUCKET.get(name, { range: { offset: 5 * 1024 * 1024 - 2 } })),
      await plain(await BUCKET.head(name)),
    ]);
  },
  'multipart in another order': async ({ BUCKET }, name) => {
    const upload = await BUCKET.createMultipartUpload(name);
    const last = await upload.uploadPart(9, 'end');
    const first = await upload.uploadPart(3, large());
    return how(async () => (await upload.complete([first, last])).size);
  },
  'multipart that is resumed and replaced': async ({ BUCKET }, name) => {
    const { uploadId } = await BUCKET.createMultipartUpload(name);
    const upload = BUCKET.resumeMultipartUpload(name, uploadId);
    await upload.uploadPart(1, 'old');
    const part = await upload.uploadPart(1, 'newer');
    await upload.complete([part]);
    return get(BUCKET, name);
  },
  'multipart with parts that are too small': async ({ BUCKET }, name) => {
    const upload = await BUCKET.createMultipartUpload(name);
    const parts = [await upload.uploadPart(1, 'a'), await upload.uploadPart(2, 'b')];
    return how(() => upload.complete(parts));
  },
  'multipart with uneven parts': async ({ BUCKET }, name) => {
    const upload = await BUCKET.createMultipartUpload(name);
    const parts = [
      await upload.uploadPart(1, large()),
      await upload.uploadPart(2, new Uint8Array(5 * 1024 * 1024 + 1)),
    ];
    return how(() => upload.complete(parts));
  },
  'multipart with a part that is not there': async ({ BUCKET }, name) => {
    const upload = await BUCKET.createMultipartUpload(name);
    const part = await upload.uploadPart(1, 'a');
    return [
      await how(() => upload.complete([{ partNumber: 2, etag: 'x' }])),
      await how(() => upload.complete([{ partNumber: 1, etag: 'x' }])),
      await how(() => upload.complete([part, part])),
    ];
  },
  'multipart part numbers': async ({ BUCKET }, name) => {
    const upload = await BUCKET.createMultipartUpload(name);
    return [
      await how(() => upload.uploadPart(0, 'a')),
      await how(() => upload.uploadPart(10_001, 'a')),
      await how(() => upload.complete([{ partNumber: 0, etag: 'x' }])),
    ];
  },
  'multipart that is aborted': async ({ BUCKET }, name) => {
    const upload = await BUCKET.createMultipartUpload(name);
    const part = await upload.uploadPart(1, 'a');
    return [
      await how(() => upload.abort()),
      await how(() => upload.abort()),
      await how(() => upload.uploadPart(1, 'a')),
      await how(() => upload.complete([part])),
    ];
  },
  'multipart that is completed twice': async ({ BUCKET }, name) => {
    const upload = await BUCKET.createMultipartUpload(name);
    const part = await upload.uploadPart(1, 'a');
    await upload.complete([part]);
    return [
      await how(() => upload.complete([part])),
      await how(() => upload.abort()),
      await get(BUCKET, name),
    ];
  },
  'multipart that never was': async ({ BUCKET }, name) => {
    const upload = BUCKET.resumeMultipartUpload(name, 'none');
    return [
      await how(() => upload.uploadPart(1, 'a')),
      await how(() => upload.complete([])),
      await how(() => upload.abort()),
    ];
  },
  'body can be read once': async ({ BUCKET }, name) => {
    await BUCKET.put(name, '{"a":1}', { httpMetadata: { contentType: 'application/json' } });
    const read = async (method) => {
      const object = await BUCKET.get(name);
      return [await how(() => object[method]()), object.bodyUsed, await how(() => object.text())];
    };
    return [
      await read('json'),
      await read('arrayBuffer'),
      await read('bytes'),
      await read('text'),
      (await (await BUCKET.get(name)).blob()).type,
    ];
  },
  writeHttpMetadata: async ({ BUCKET }, name) => {
    await BUCKET.put(name, 'x', {
      httpMetadata: { contentType: 'a/b', cacheExpiry: new Date(1000), cacheControl: 'no-store' },
    });
    const headers = new Headers();
    (await BUCKET.head(name)).writeHttpMetadata(headers);
    const [listed] = (await BUCKET.list({ prefix: name, include: [] })).objects;
    return [[...headers], await how(() => listed.writeHttpMetadata(new Headers()))];
  },
};
