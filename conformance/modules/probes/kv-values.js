import { area } from '../registry.js';

class Point {
  constructor() {
    this.x = 1;
  }
  get y() {
    return 2;
  }
}

const cycle = { name: 'loop' };
cycle.self = cycle;

const roundTrips = {
  null: () => null,
  true: () => true,
  'minus zero': () => -0,
  NaN: () => NaN,
  'minus infinity': () => -Infinity,
  'largest double': () => Number.MAX_VALUE,
  'integer beyond 2^31': () => 2 ** 40,
  bigint: () => -(2n ** 70n),
  'empty string': () => '',
  'latin string': () => 'caf\u00e9',
  'wide string': () => '\u{1f600} \u4e2d',
  'lone surrogate': () => 'a\ud800b',
  'string with NUL': () => 'a\0b',
  Date: () => new Date(1e12),
  'invalid Date': () => new Date(NaN),
  RegExp: () => /a(b)?/giu,
  array: () => [1, 'two', null],
  'array with holes': () => [1, , 3, undefined], // oxlint-disable-line no-sparse-arrays
  'array with extra property': () => Object.assign([1], { extra: 2 }),
  object: () => ({ a: 1, b: { c: [true] } }),
  'nested undefined': () => ({ a: undefined }),
  'key order': () => ({ b: 1, a: 2, 1: 3, 0: 4 }),
  Map: () =>
    new Map([
      ['k', { v: 1 }],
      [2, 'two'],
    ]),
  Set: () => new Set([1, 'a', null]),
  ArrayBuffer: () => new Uint8Array([1, 2, 3]).buffer,
  Uint8Array: () => new Uint8Array([1, 2, 3]),
  'view into a larger buffer': () => new Uint8Array([1, 2, 3, 4]).subarray(1, 3),
  Float64Array: () => new Float64Array([1.5, -0]),
  BigInt64Array: () => new BigInt64Array([-1n]),
  DataView: () => new DataView(new ArrayBuffer(4), 1, 2),
  'Number object': () => new Number(5),
  'String object': () => new String('boxed'),
  'Boolean object': () => new Boolean(false),
  'BigInt object': () => Object(7n),
  Error: () => new Error('plain'),
  TypeError: () => new TypeError('typed'),
  'Error with cause': () => new RangeError('outer', { cause: new Error('inner') }),
  'Error with own property': () => Object.assign(new Error('extra'), { code: 7 }),
  'Error of own class': () => new (class Mine extends Error {})('mine'),
  AggregateError: () => new AggregateError([new Error('one')], 'many'),
  'class instance': () => new Point(),
  'null prototype': () => Object.assign(Object.create(null), { a: 1 }),
  getter: () => ({
    get a() {
      return 'computed';
    },
  }),
  cycle: () => cycle,
  'shared reference': () => {
    const shared = { n: 1 };
    return { a: shared, b: shared };
  },
  'symbol-keyed property': () => ({ [Symbol('s')]: 1, a: 2 }),
  'arguments object': () =>
    (function () {
      return arguments; // oxlint-disable-line prefer-rest-params
    })(1, 2),
};

const refusals = {
  function: () => () => 1,
  'named function': () => function named() {},
  symbol: () => Symbol('x'),
  Promise: () => Promise.resolve(1),
  WeakMap: () => new WeakMap(),
  WeakRef: () => new WeakRef({}),
  Proxy: () => new Proxy({}, {}),
  'function in object': () => ({ deep: { f() {} } }),
  URL: () => new URL('http://a/'),
  ReadableStream: () => new ReadableStream(),
  'throwing getter': () => ({
    get a() {
      throw new RangeError('from getter');
    },
  }),
  generator: () => (function* () {})(),
};

const onBoth = { on: ['sql', 'kv'] };

area('kv values', onBoth, {
  ...Object.fromEntries(
    Object.entries(roundTrips).map(([name, make]) => [
      `keeps ${name}`,
      async ({ storage }) => {
        await storage.put('k', make());
        return storage.get('k');
      },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(refusals).map(([name, make]) => [
      `refuses ${name}`,
      async ({ storage, how }) => [await how(() => storage.put('k', make())), await storage.get('k')],
    ]),
  ),
  'an error keeps its stack': async ({ storage }) => {
    const error = new Error('where');
    await storage.put('k', error);
    return (await storage.get('k')).stack === error.stack;
  },
  'a value is copied when put is called': async ({ storage }) => {
    const value = { n: 1 };
    const put = storage.put('k', value);
    value.n = 2;
    await put;
    return storage.get('k');
  },
  'get gives a fresh copy each time': async ({ storage }) => {
    await storage.put('k', { n: 1 });
    const first = await storage.get('k');
    first.n = 2;
    return [await storage.get('k'), (await storage.get('k')) === (await storage.get('k'))];
  },
  'a large array survives': async ({ storage }) => {
    await storage.put(
      'k',
      Array.from({ length: 10000 }, (_, i) => i % 256),
    );
    const back = await storage.get('k');
    return [back.length, back.reduce((a, b) => a + b)];
  },
  'a refused value leaves the old one': async ({ storage, message }) => {
    await storage.put('k', 1);
    return [await message(() => storage.put('k', () => {})), await storage.get('k')];
  },
});
