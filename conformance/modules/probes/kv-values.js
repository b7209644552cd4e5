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
  ...Object.fromEntries(
    [
      Int8Array,
      Uint8ClampedArray,
      Int16Array,
      Uint16Array,
      Int32Array,
      Uint32Array,
      Float16Array,
      Float32Array,
    ].map((View) => [View.name, () => View.of(1, 2)]),
  ),
  BigUint64Array: () => BigUint64Array.of(1n),
  'resizable ArrayBuffer': () => new ArrayBuffer(3, { maxByteLength: 8 }),
  'view of a resizable ArrayBuffer': () => new Uint8Array(new ArrayBuffer(3, { maxByteLength: 8 })),
  'view of own class': () => new (class Mine extends Uint8Array {})([1]),
  'Map of own class': () => new (class Mine extends Map {})([[1, 2]]),
  'Date with own property': () => Object.assign(new Date(1), { extra: 1 }),
  'RegExp with lastIndex': () => Object.assign(/a/dgy, { lastIndex: 3 }),
  'Error named otherwise': () => Object.assign(new Error('m'), { name: 'RangeError' }),
  'Error named oddly': () => Object.assign(new Error('m'), { name: 'Odd' }),
  'Error that is its cause': () => {
    const error = new Error('m');
    error.cause = error;
    return error;
  },
  SuppressedError: () => new SuppressedError(1, 2, 'm'),
  DOMException: () => new DOMException('m', 'AbortError'),
  'DOMException with own name': () => new DOMException('m', 'Mine'),
  'very sparse array': () => Object.assign([], { 4000000: 1 }),
  Math: () => Math,
  Headers: () =>
    new Headers([
      ['content-type', 'x/y'],
      ['set-cookie', '1'],
      ['set-cookie', '2'],
      ['a', 'b'],
    ]),
  Request: () => new Request('http://a/b?c', { headers: { a: 'b' } }),
  'Request with PUT': () => new Request('http://a/', { method: 'PUT', redirect: 'manual' }),
  Response: () => new Response(null, { status: 204, headers: { a: 'b' } }),
  'Response with status text': () => new Response(null, { statusText: 'Fine' }),
  'Response that redirects': () => Response.redirect('http://a/', 301),
  'Response.error()': () => Response.error(),
  'symbol-keyed property': () => ({ [Symbol('s')]: 1, a: 2 }),
  'arguments object': () =>
    (function () {
      return arguments; // oxlint-disable-line prefer-rest-params
    })(1, 2),
};

const blobs = {
  Blob: () => new Blob(['x'], { type: 'text/plain' }),
  'Blob without a type': () => new Blob(['x']),
  'empty Blob': () => new Blob([], { type: 'a/b' }),
  'Blob of bytes': () => new Blob([Uint8Array.of(0, 255, 128)]),
  'Blob with a type in capitals': () => new Blob(['x'], { type: 'Text/HTML;Charset=UTF-8' }),
  'slice of a Blob': () => new Blob(['abcdef']).slice(1, 3, 'a/b'),
  'Blob of a Response': () => new Response('abc', { headers: { 'content-type': 'a/b' } }).blob(),
  'Blob with own property': () => Object.assign(new Blob(['x']), { extra: 1 }),
  'Blob of own class': () => new (class Mine extends Blob {})(['x']),
};

async function showBlob(blob) {
  const { constructor, type, size } = blob;
  return [constructor.name, type, size, Object.keys(blob), new Uint8Array(await blob.arrayBuffer())];
}

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
  WritableStream: () => new WritableStream(),
  TransformStream: () => new TransformStream(),
  'Request with a body': () => new Request('http://a/', { method: 'POST', body: 'x' }),
  'Response with a body': () => new Response('x'),
  'Response with an empty body': () => new Response(''),
  File: () => new File(['x'], 'name'),
  'File of own class': () => new (class Mine extends File {})(['x'], 'name'),
  FormData: () => new FormData(),
  URLSearchParams: () => new URLSearchParams('a=b'),
  AbortSignal: () => new AbortController().signal,
  AbortController: () => new AbortController(),
  Event: () => new Event('x'),
  EventTarget: () => new EventTarget(),
  TextEncoder: () => new TextEncoder(),
  CompressionStream: () => new CompressionStream('gzip'),
  WebSocket: () => new WebSocketPair()[0],
  'detached ArrayBuffer': () => {
    const buffer = new ArrayBuffer(2);
    buffer.transfer();
    return buffer;
  },
  'WebAssembly.Memory': () => new WebAssembly.Memory({ initial: 1 }),
  WeakSet: () => new WeakSet(),
  FinalizationRegistry: () => new FinalizationRegistry(() => {}),
  class: () => class A {},
  'async function': () => async () => {},
  'symbol object': () => Object(Symbol('x')),
  'Proxy of an array': () => new Proxy([], {}),
  'Proxy of a function': () => new Proxy(() => {}, {}),
  'async generator': () => (async function* () {})(),
  'iterator of a Map': () => new Map().entries(),
  'Intl.NumberFormat': () => new Intl.NumberFormat('en'),
  DisposableStack: () => new DisposableStack(),
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
  'a CryptoKey is refused': async ({ storage, message }) => {
    const key = await crypto.subtle.importKey('raw', new Uint8Array(16), 'AES-GCM', true, ['encrypt']);
    return message(() => storage.put('k', key));
  },
  ...Object.fromEntries(
    Object.entries(blobs).map(([name, make]) => [
      `keeps ${name}`,
      async ({ storage }) => {
        await storage.put('k', await make());
        return showBlob(await storage.get('k'));
      },
    ]),
  ),
  'a Blob inside of other values stays one': async ({ storage }) => {
    const blob = new Blob(['x'], { type: 'text/plain' });
    await storage.put('k', { blob, list: [blob, new Map([[blob, new Set([blob])]])] });
    const { blob: back, list } = await storage.get('k');
    const [[key, set]] = list[1];
    return [await showBlob(back), list[0] === back, key === back, set.has(back)];
  },
  'a Blob in a transaction': async ({ storage }) => {
    await storage.transaction(async (txn) => {
      await txn.put('k', new Blob(['x']));
      await txn.put('l', await txn.get('k'));
    });
    return Promise.all([...(await storage.list()).values()].map(showBlob));
  },
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
