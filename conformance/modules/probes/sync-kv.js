import { area } from '../registry.js';

const list = (kv, options) => [...kv.list(options)];

function fill(kv) {
  for (const [i, key] of ['a', 'aa', 'b', 'c', '\u00e9', '\u{10000}', '\uffff'].entries()) kv.put(key, i);
}

const ranges = {
  everything: undefined,
  start: { start: 'b' },
  'start and end': { start: 'aa', end: 'c' },
  startAfter: { startAfter: 'a' },
  prefix: { prefix: 'a' },
  reverse: { reverse: true },
  'reverse with limit': { reverse: true, limit: 2 },
  'limit zero': { limit: 0 },
  'start with startAfter': { start: 'a', startAfter: 'a' },
  'string options': 'x',
  'end before start': { start: 'c', end: 'a' },
};

area(
  'storage.kv',
  {},
  {
    'get absent': ({ kv, how }) => how(() => kv.get('nope')),
    'put and get': ({ kv, how }) => how(() => (kv.put('k', { a: 1 }), kv.get('k'))),
    'put returns undefined': ({ kv, how }) => how(() => kv.put('k', 1)),
    'put undefined is stored': async ({ kv, how }) => [
      await how(() => kv.put('k', undefined)),
      kv.get('k'),
      list(kv),
      kv.delete('k'),
      kv.delete('k'),
    ],
    'put without value': ({ kv, how }) => how(() => kv.put('k')),
    'put without arguments': ({ kv, how }) => how(() => kv.put()),
    'get without arguments': ({ kv, how }) => how(() => kv.get()),
    'put a Blob': async ({ kv }) => {
      kv.put('k', [new Blob(['x'], { type: 'a/b' })]);
      const [blob] = kv.get('k');
      return [blob.constructor.name, blob.type, await blob.text()];
    },
    'put a function': ({ kv, how }) => how(() => kv.put('k', () => 1)),
    'put with a symbol key': ({ kv, how }) => how(() => kv.put(Symbol('s'), 1)),
    'put entries': async ({ kv, how }) => [await how(() => kv.put({ a: 1 })), list(kv)],
    'put entries with a second argument': async ({ kv, how }) => [
      await how(() => kv.put({ a: 1 }, {})),
      list(kv),
    ],
    'get with an array': ({ kv, how }) => how(() => (kv.put('a,b', 1), kv.get(['a', 'b']))),
    'delete gives whether it existed': ({ kv }) => (kv.put('k', 1), [kv.delete('k'), kv.delete('k')]),
    'delete with an array': ({ kv, how }) => how(() => (kv.put('a,b', 1), kv.delete(['a', 'b']))),
    'is the same data as the async interface': async ({ kv, storage }) => {
      kv.put('sync', 1);
      await storage.put('async', 2);
      return [await storage.list(), list(kv)];
    },
    'sees async puts that are not awaited': ({ kv, storage }) => {
      void storage.put('k', 1);
      return kv.get('k');
    },
    ...Object.fromEntries(
      Object.entries(ranges).map(([name, options]) => [
        `list ${name}`,
        ({ kv, how }) => {
          fill(kv);
          return how(() => list(kv, options));
        },
      ]),
    ),
    'list iterator has its own tag and helpers': ({ kv }) => {
      fill(kv);
      const iterator = kv.list();
      return [
        Object.prototype.toString.call(iterator),
        typeof iterator.map,
        iterator.next(),
        iterator.take(2).toArray(),
      ];
    },
    'list ends with done': ({ kv }) => {
      kv.put('only', 1);
      const iterator = kv.list();
      return [iterator.next(), iterator.next(), iterator.next()];
    },
    'a second list invalidates the first': async ({ kv, how }) => {
      fill(kv);
      const first = kv.list();
      first.next();
      const second = kv.list();
      return [second.next(), await how(() => first.next())];
    },
    'list sees writes ahead of it': ({ kv }) => {
      fill(kv);
      const iterator = kv.list();
      iterator.next();
      kv.put('ab', 'ahead');
      kv.delete('b');
      return [...iterator];
    },
    'has these members': ({ kv }) =>
      ['get', 'put', 'delete', 'list', 'deleteAll', 'transaction'].map((name) => typeof kv[name]),
  },
);

area(
  'storage.kv without SQL',
  { on: ['kv'], disk: true },
  {
    get: ({ kv, how }) => how(() => kv.get('k')),
    put: ({ kv, how }) => how(() => kv.put('k', 1)),
    list: ({ kv, how }) => how(() => kv.list()),
    'sql.exec': ({ sql, how }) => how(() => sql.exec('select 1')),
    'sql.databaseSize': ({ sql, how }) => how(() => sql.databaseSize),
    'both properties exist': ({ storage }) => [typeof storage.sql, typeof storage.kv],
  },
);
