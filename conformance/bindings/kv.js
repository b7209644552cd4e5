/** Questions about KV namespaces. Each has keys of its own, named after it. */
import { how } from '../modules/describe.js';

const value = 'v';

/** What puts and then gets answer, for each argument of a list. */
function putThenGet(options) {
  return async ({ KV }, name) => [
    await how(() => KV.put(name, value, options)),
    await how(() => KV.getWithMetadata(name)),
  ];
}

function putValue(given, type) {
  return async ({ KV }, name) => [
    await how(() => KV.put(name, given())),
    await how(() => KV.get(name, type)),
  ];
}

const keys = (listed) => ({
  ...listed,
  ...(listed.cursor === undefined ? {} : { cursor: 'some' }),
});

async function fill(KV, name, list) {
  for (const key of list) await KV.put(`${name}/${key}`, value);
}

export const kvProbes = {
  'get of a key that is not there': ({ KV }) => how(() => KV.get('none')),
  'getWithMetadata of a key that is not there': ({ KV }) => how(() => KV.getWithMetadata('none')),
  'delete of a key that is not there': ({ KV }) => how(() => KV.delete('none')),
  'put and get text': putThenGet(undefined),
  'put with null options': putThenGet(null),
  'put with metadata': putThenGet({ metadata: { a: [1, null, 'ä'] } }),
  'put with metadata null': putThenGet({ metadata: null }),
  'put with metadata false': putThenGet({ metadata: false }),
  'put with metadata of 1024 bytes': putThenGet({ metadata: 'x'.repeat(1022) }),
  'put with metadata of 1025 bytes': putThenGet({ metadata: 'x'.repeat(1023) }),
  'put with expirationTtl 60': putThenGet({ expirationTtl: 60 }),
  'put with expirationTtl 59': putThenGet({ expirationTtl: 59 }),
  'put with expirationTtl 0': putThenGet({ expirationTtl: 0 }),
  'put with expirationTtl -5': putThenGet({ expirationTtl: -5 }),
  'put with expirationTtl 60.9': putThenGet({ expirationTtl: 60.9 }),
  'put with expirationTtl "60"': putThenGet({ expirationTtl: '60' }),
  'put with expirationTtl NaN': putThenGet({ expirationTtl: NaN }),
  'put with expiration in the past': putThenGet({ expiration: 1 }),
  'put with expiration far ahead': putThenGet({ expiration: 4_000_000_000 }),
  'put with expiration in years': putThenGet({ expiration: 2_100_000_000 }),
  'put with both': putThenGet({ expiration: 1, expirationTtl: 60 }),
  'put of a number': putValue(() => 5),
  'put of null': putValue(() => null),
  'put of undefined': putValue(() => undefined),
  'put of true': putValue(() => true),
  'put of an object': putValue(() => ({})),
  'put of an array': putValue(() => [1]),
  'put of a Blob': putValue(() => new Blob(['x'])),
  'put of an empty text': putValue(() => ''),
  'put of an ArrayBuffer': putValue(() => new Uint8Array([0, 255]).buffer, 'arrayBuffer'),
  'put of a view': putValue(() => new Uint8Array([1, 2, 3]).subarray(1, 2), 'arrayBuffer'),
  'put of a DataView': putValue(() => new DataView(new Uint8Array([9]).buffer), 'arrayBuffer'),
  'put of a stream': putValue(() => new Blob(['a stream']).stream()),
  'put of the body of a response': putValue(() => new Response('body').body),
  'get as json': putValue(() => '{"a":1}', 'json'),
  'get as arrayBuffer': putValue(() => 'ä', 'arrayBuffer'),
  'get as an unknown type': putValue(() => 'x', 'xml'),
  'get as a type in an object': putValue(() => '[1]', { type: 'json' }),
  'get as a stream': async ({ KV }, name) => {
    await KV.put(name, 'streamed');
    return new Response(await KV.get(name, 'stream')).text();
  },
  'get with cacheTtl 30': putValue(() => 'x', { cacheTtl: 30 }),
  'get with cacheTtl 29': putValue(() => 'x', { cacheTtl: 29 }),
  'get with cacheTtl 0': putValue(() => 'x', { cacheTtl: 0 }),
  'get of an empty key': ({ KV }) => how(() => KV.get('')),
  'get of .': ({ KV }) => how(() => KV.get('.')),
  'put of ..': ({ KV }) => how(() => KV.put('..', '')),
  'delete of an empty key': ({ KV }) => how(() => KV.delete('')),
  'get of a key of 512 bytes': ({ KV }) => how(() => KV.get('x'.repeat(512))),
  'get of a key of 513 bytes': ({ KV }) => how(() => KV.get('x'.repeat(513))),
  'put of a key of 514 bytes in 257 characters': ({ KV }) => how(() => KV.put('ä'.repeat(257), '')),
  'delete of a key of 513 bytes': ({ KV }) => how(() => KV.delete('x'.repeat(513))),
  'get of a number': async ({ KV }) => {
    await KV.put('77', 'seven');
    return how(() => KV.get(77));
  },
  'put of 25 MiB and a byte': ({ KV }) => how(() => KV.put('large', new Uint8Array(26_214_401))),
  'put replaces metadata and expiry': async ({ KV }, name) => {
    await KV.put(name, 'a', { metadata: 1, expirationTtl: 60 });
    await KV.put(name, 'b');
    return [await KV.getWithMetadata(name), (await KV.list({ prefix: name })).keys];
  },
  'get of several keys': async ({ KV }, name) => {
    await KV.put(`${name}1`, 'one', { metadata: 'm' });
    await KV.put(`${name}2`, '{"two":2}');
    return [
      await how(() => KV.get([`${name}1`, 'none', `${name}2`])),
      await how(() => KV.get([`${name}2`], 'json')),
      await how(() => KV.getWithMetadata([`${name}1`, 'none'])),
      await how(() => KV.getWithMetadata([`${name}2`], { type: 'json' })),
      await how(() => KV.get([`${name}1`], 'json')),
      await how(() => KV.get([`${name}1`], 'arrayBuffer')),
      await how(() => KV.get([`${name}1`, `${name}1`])),
    ];
  },
  'get of no keys': ({ KV }) => how(() => KV.get([])),
  'get of 101 keys': ({ KV }) => how(() => KV.get(Array.from({ length: 101 }, (_, at) => `k${at}`))),
  'get of several keys with an empty one': ({ KV }) => how(() => KV.get(['a', ''])),
  'get of several keys with . among them': ({ KV }) => how(() => KV.get(['.'])),
  'get of several keys with a long one': ({ KV }) => how(() => KV.get(['x'.repeat(513)])),
  'list of nothing': ({ KV }) => how(() => KV.list({ prefix: 'nothing/' })),
  'list in order': async ({ KV }, name) => {
    await fill(KV, name, ['b', 'a', 'ä', 'B', '😀', '\uffee', 'a/b', '']);
    return keys(await KV.list({ prefix: `${name}/` }));
  },
  'list in parts': async ({ KV }, name) => {
    await fill(KV, name, ['1', '2', '3', '4', '5']);
    const parts = [];
    let cursor;
    do {
      const part = await KV.list({ prefix: `${name}/`, limit: 2, cursor });
      parts.push(keys(part));
      cursor = part.cursor;
    } while (cursor !== undefined);
    return parts;
  },
  'list with metadata and expiry': async ({ KV }, name) => {
    await KV.put(`${name}/m`, '', { metadata: { k: 1 }, expiration: 2_100_000_000 });
    return KV.list({ prefix: `${name}/` });
  },
  'list with limit 0': async ({ KV }, name) => {
    await fill(KV, name, ['1', '2']);
    return how(() => KV.list({ prefix: `${name}/`, limit: 0 }));
  },
  'list with limit -1': ({ KV }) => how(() => KV.list({ prefix: 'nothing/', limit: -1 })),
  'list with limit 1000': ({ KV }) => how(() => KV.list({ prefix: 'nothing/', limit: 1000 })),
  'list with limit 1001': ({ KV }) => how(() => KV.list({ limit: 1001 })),
  'list with null options': ({ KV }) => how(async () => Array.isArray((await KV.list(null)).keys)),
  'list with null prefix and cursor': ({ KV }) =>
    how(async () => Object.keys(await KV.list({ prefix: null, cursor: null }))),
  'list with a prefix of 513 bytes': ({ KV }) => how(() => KV.list({ prefix: 'x'.repeat(513) })),
  'class of a namespace': ({ KV }) => [KV.constructor.name, Object.prototype.toString.call(KV)],
};
