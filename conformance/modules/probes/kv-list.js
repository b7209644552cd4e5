import { area } from '../registry.js';

const KEYS = [
  '',
  'a',
  'a\0',
  'aa',
  'ab',
  'b',
  'ba',
  'c',
  'z',
  'z\uffff',
  'z\u{10000}',
  '\u00e9',
  '\u{1f600}',
];

const ranges = {
  everything: undefined,
  'null options': null,
  'empty options': {},
  start: { start: 'b' },
  'start between keys': { start: 'aaa' },
  'start undefined with startAfter': { start: undefined, startAfter: 'b' },
  startAfter: { startAfter: 'a' },
  'startAfter a missing key': { startAfter: 'az' },
  'startAfter empty': { startAfter: '' },
  end: { end: 'b' },
  'empty end': { end: '' },
  'start and end': { start: 'a', end: 'b' },
  'end before start': { start: 'c', end: 'a' },
  'end equal to start': { start: 'a', end: 'a' },
  prefix: { prefix: 'a' },
  'empty prefix': { prefix: '' },
  'prefix nobody has': { prefix: 'q' },
  'prefix of wide characters': { prefix: 'z\uffff' },
  'prefix and start before it': { prefix: 'b', start: 'a' },
  'prefix and start inside it': { prefix: 'b', start: 'ba' },
  'prefix and start past it': { prefix: 'a', start: 'b' },
  'prefix and end inside it': { prefix: 'a', end: 'ab' },
  'prefix and end before it': { prefix: 'b', end: 'a' },
  'prefix and startAfter': { prefix: 'a', startAfter: 'a' },
  reverse: { reverse: true },
  'reverse with start and end': { reverse: true, start: 'a', end: 'c' },
  'reverse with startAfter and limit': { reverse: true, startAfter: 'a', limit: 3 },
  'reverse prefix': { reverse: true, prefix: 'a' },
  'reverse as a string': { reverse: 'no' },
  limit: { limit: 2 },
  'limit larger than all': { limit: 1000 },
  'limit with reverse': { limit: 2, reverse: true },
  'fractional limit': { limit: 1.9 },
  'limit as text': { limit: '2' },
  'limit true': { limit: true },
  'limit a bigint': { limit: 1n },
  'limit a bigint of zero': { limit: 0n },
  'limit a symbol': { limit: Symbol('s') },
  'limit an object': { limit: {} },
  'limit undefined': { limit: undefined },
  'number start': { start: 5, end: 'b' },
  'all options': {
    start: 'a',
    end: 'z',
    prefix: 'a',
    reverse: true,
    limit: 2,
    allowConcurrency: true,
    noCache: true,
  },
  'unknown option': { limt: 1 },
  'limit zero': { limit: 0 },
  'limit negative': { limit: -1 },
  'limit NaN': { limit: NaN },
  'limit null': { limit: null },
  'start null': { start: null },
  'startAfter null': { startAfter: null },
  'end null': { end: null },
  'prefix null': { prefix: null },
  'reverse null': { reverse: null },
  'start and startAfter null': { start: null, startAfter: null },
  'noCache and allowConcurrency null': { noCache: null, allowConcurrency: null },
  'limit not a number': { limit: 'abc' },
  'limit one half': { limit: 0.5 },
  'limit 2^31': { limit: 2 ** 31 },
  'limit Infinity': { limit: Infinity },
  'start with startAfter': { start: 'a', startAfter: 'b' },
  'symbol start': { start: Symbol('s') },
  'string options': 'x',
  'number options': 3,
};

async function fill(storage) {
  await storage.put(Object.fromEntries(KEYS.map((key, i) => [key, i])));
}

area(
  'kv list',
  { on: ['sql', 'kv'] },
  {
    ...Object.fromEntries(
      Object.entries(ranges).map(([name, options]) => [
        name,
        async ({ storage, how }) => {
          await fill(storage);
          return how(() => storage.list(options));
        },
      ]),
    ),
    'of an empty object': ({ storage, how }) => how(() => storage.list()),
    'sees writes and deletes of the same turn': async ({ storage }) => {
      await fill(storage);
      void storage.put('ac', 'new');
      void storage.delete('aa');
      void storage.put('b', 'changed');
      return storage.list({ start: 'a', end: 'c' });
    },
    'is a snapshot of the call': async ({ storage }) => {
      await storage.put('a', 1);
      const listing = storage.list();
      void storage.put('b', 2);
      return listing;
    },
    'gives a real Map': async ({ storage }) => Object.prototype.toString.call(await storage.list()),
    'of two thousand keys': async ({ storage }) => {
      for (let batch = 0; batch < 20; batch++) {
        void storage.put(
          Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${batch * 100 + i}`, i])),
        );
      }
      const all = await storage.list();
      return [all.size, [...all.keys()].slice(1110, 1114)];
    },
  },
);
