import { area } from '../registry.js';

const KEY_BYTES_MAX = 2048;
const VALUE_BYTES_MAX = 131072;

const key = (bytes) => 'k'.repeat(bytes);
const pairs = (count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));

area(
  'kv limits',
  { on: ['sql', 'kv'] },
  {
    'longest key': async ({ storage, how }) => [
      await how(() => storage.put(key(KEY_BYTES_MAX), 1)),
      await storage.get(key(KEY_BYTES_MAX)),
    ],
    'put: key too long': ({ storage, how }) => how(() => storage.put(key(KEY_BYTES_MAX + 1), 1)),
    'get: key too long': ({ storage, how }) => how(() => storage.get(key(KEY_BYTES_MAX + 1))),
    'get of many: key too long': ({ storage, how }) => how(() => storage.get(['a', key(KEY_BYTES_MAX + 1)])),
    'delete: key too long': ({ storage, how }) => how(() => storage.delete(key(KEY_BYTES_MAX + 1))),
    'key length is in UTF-8 bytes': ({ storage, how }) => how(() => storage.put('\u20ac'.repeat(683), 1)),
    'list: prefix longer than a key': ({ storage, how }) =>
      how(() => storage.list({ prefix: key(KEY_BYTES_MAX + 1) })),
    'value of the greatest size': async ({ storage, how }) => [
      await how(() => storage.put('k', new Uint8Array(VALUE_BYTES_MAX))),
      (await storage.get('k'))?.byteLength,
    ],
    'value too large': ({ storage, how }) => how(() => storage.put('k', 'v'.repeat(VALUE_BYTES_MAX + 100))),
    'one value of many too large': async ({ storage, how }) => [
      await how(() => storage.put({ a: 1, b: 'v'.repeat(VALUE_BYTES_MAX + 100) })),
      await storage.list(),
    ],
    'get of 128 keys': async ({ storage }) => {
      await storage.put(pairs(128));
      return (await storage.get(Object.keys(pairs(128)))).size;
    },
    'get of 129 keys': ({ storage, how }) => how(() => storage.get(Object.keys(pairs(129)))),
    'put of 128 pairs': ({ storage, how }) => how(() => storage.put(pairs(128))),
    'put of 129 pairs': async ({ storage, how }) => [
      await how(() => storage.put(pairs(129))),
      (await storage.list()).size,
    ],
    'delete of 129 keys': async ({ storage, how }) => [
      await how(() => storage.delete(Object.keys(pairs(129)))),
    ],
    'in a transaction: key too long': ({ storage, message }) =>
      message(() => storage.transaction((txn) => txn.put(key(KEY_BYTES_MAX + 1), 1))),
    'in a transaction: get of 129 keys': ({ storage, message }) =>
      message(() => storage.transaction((txn) => txn.get(Object.keys(pairs(129))))),
  },
);
