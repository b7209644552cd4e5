import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Serializer } from 'node:v8';
import fc from 'fast-check';
import { decodeValue, encodePlain, encodeValue, explainRefusals, refuseToStore } from '#values';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

function nativeBytes(value: unknown): Uint8Array {
  const serializer = new Serializer() as Serializer & {
    _setTreatArrayBufferViewsAsHostObjects(flag: boolean): void;
  };
  serializer.writeHeader();
  serializer._setTreatArrayBufferViewsAsHostObjects(false);
  serializer.writeValue(value);
  return serializer.releaseBuffer();
}

const smallInteger = fc.integer({ min: -(2 ** 30), max: 2 ** 30 - 1 });
const fraction = fc.oneof(
  fc.double().filter((n) => !Number.isInteger(n) || Math.abs(n) >= 2 ** 31),
  fc.constant(-0),
);
const named = (values: fc.Arbitrary<unknown>): fc.Arbitrary<object> =>
  fc.dictionary(
    fc.string({ unit: 'binary', maxLength: 20 }).filter((key) => !/^\d/.test(key)),
    values,
    { maxKeys: 5, noNullPrototype: true },
  );
const leaf = fc.oneof(
  smallInteger,
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 200 }),
  fc.boolean(),
  fc.constantFrom(null, undefined, ''),
  fc.bigInt(),
  fc.date({ noInvalidDate: false }),
  named(fraction),
  fc.array(smallInteger, { maxLength: 6 }),
  fc.array(fraction, { maxLength: 6 }),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc
      .array(tie('tree'), { maxLength: 5 })
      .filter((array) => !array.some((element) => typeof element === 'number')),
    named(tie('tree')),
    fc.dictionary(
      fc.nat({ max: 2 ** 30 - 1 }).map(String),
      tie('tree').filter((value) => typeof value !== 'number'),
      {
        maxKeys: 4,
        noNullPrototype: true,
      },
    ),
    fc.array(fc.tuple(tie('tree'), tie('tree')), { maxLength: 3 }).map((entries) => new Map(entries)),
    fc.array(tie('tree'), { maxLength: 4 }).map((entries) => new Set(entries)),
    tie('tree').map((shared) => ({ first: shared, second: [shared] })),
  ),
}));

/**
 * The same tree built anew, so that V8 stores every small integer as one. V8 writes a number as it stores it, and
 * stores it as a double in any field that ever contained a double, in any object of that shape: these objects have no
 * shape.
 */
function rebuild(value: unknown, known = new Map<unknown, unknown>()): unknown {
  if (typeof value === 'number') return (value | 0) === value && !Object.is(value, -0) ? value | 0 : value;
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (known.has(value)) return known.get(value);
  const copy = emptyLike(value);
  known.set(value, copy);
  if (copy instanceof Map) {
    for (const [key, entry] of value as Map<unknown, unknown>)
      copy.set(rebuild(key, known), rebuild(entry, known));
  } else if (copy instanceof Set) {
    for (const entry of value as Set<unknown>) copy.add(rebuild(entry, known));
  } else {
    for (const [key, entry] of Object.entries(value)) {
      Object.defineProperty(copy, key, {
        value: rebuild(entry, known),
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
  }
  return copy;
}

function emptyLike(value: object): object {
  // A literal would keep the element kind of its earlier arrays.
  if (Array.isArray(value)) return JSON.parse('[]') as unknown[];
  if (value instanceof Map) return new Map();
  if (value instanceof Set) return new Set();
  const shapeless: { a?: number; b?: number } = { a: 1, b: 2 };
  delete shapeless.a;
  delete shapeless.b;
  return shapeless;
}

test('encodeValue writes what V8 writes for random trees of values, and decodeValue reads it back', () => {
  fc.assert(
    fc.property(tree, (generated) => {
      const value = rebuild(generated);
      const bytes = encodeValue(value);
      assert.equal(hex(bytes), hex(nativeBytes(value)));
      assert.deepStrictEqual(decodeValue(bytes), value);
    }),
    { numRuns: 500 },
  );
});

test('encodeValue writes what V8 writes for every other kind of object', () => {
  const buffer = new ArrayBuffer(16);
  const resizable = new ArrayBuffer(3, { maxByteLength: 8 });
  const cycle: unknown[] = [];
  cycle.push(cycle, { cycle });
  class Point {
    x = 1;
    get y(): number {
      return 2;
    }
  }
  const many = Array.from({ length: 100 }, (_, i) => ({ i: String(i) }));
  for (const value of [
    [1, , 3], // oxlint-disable-line no-sparse-arrays
    [1, 'a', 1.5],
    Object.assign([], { 5000: 1 }),
    Object.assign(['a'], { extra: 'x' }),
    { 4294967294: 'a', 4294967295: 'b', '01': 'c', '-1': 'd', 7: 'e' },
    Object.defineProperty({}, '__proto__', { value: 'x', enumerable: true }),
    Object.create(null, { a: { value: 1, enumerable: true }, b: { value: 2 } }),
    [new Uint8Array(buffer, 8, 2), buffer, new Float64Array(buffer), new DataView(buffer, 1, 1)],
    [
      new Float16Array(2),
      new BigInt64Array(1),
      new Uint8ClampedArray(1),
      new Int16Array(1),
      new Uint32Array(1),
    ],
    [resizable, new Uint8Array(resizable), new Uint8Array(resizable, 0, 2)],
    [Object(5), Object('é'), Object('€'), Object(true), Object(false), Object(-5n)],
    [/a\/b€/giu, /x/dgimsuy, /x/v, new RegExp('')],
    [0n, -1n, 2n ** 64n, 2n ** 63n - 1n, -(2n ** 1000n)],
    new Error('plain'),
    new TypeError('typed', { cause: { a: 'b' } }),
    Object.assign(new RangeError('x'), { extra: 1 }),
    new AggregateError([1], 'many'),
    Object.assign(new Error('x'), { name: 'SyntaxError' }),
    new Point(),
    cycle,
    [...many, ...many],
    'x'.repeat(5_000) + '€',
    'x'.repeat(200_000),
  ]) {
    assert.equal(text(encodeValue(value)), text(nativeBytes(value)));
  }
});

test('encodeValue writes what workerd wrote where V8 here cannot be the judge', () => {
  // Captured from workerd 1.20261104.1.
  assert.equal(hex(encodeValue([1, 1.5])), 'ff0f41024e000000000000f03f4e000000000000f83f240002');
  assert.equal(hex(encodeValue(2 ** 30)), 'ff0f4e000000000000d041');
  assert.equal(hex(encodeValue(-(2 ** 30) - 1)), 'ff0f4e000040000000d0c1');
  assert.equal(text(encodeValue(new Headers([['a', 'b'], ['x-q', '1']]))), '\xff\x0f\\\x04\x03\x02\x00\x01a\x01b\x00\x03x-q\x011'); // prettier-ignore
  assert.equal(
    text(encodeValue(new Blob(['x'], { type: 'text/plain' }))),
    '\xff\x0f\\\x0f\x0atext/plain\x01x',
  );
  const blob = new Blob(['x']);
  assert.equal(
    text(encodeValue({ b: blob, again: [blob, new Map([[blob, new Set([blob])]])] })),
    '\xff\x0fo"\x01b\\\x0f\x00\x01x"\x05againA\x02^\x01;^\x01\'^\x01,\x01:\x02$\x00\x02{\x02',
  );
  const request = new Request('http://a/b?c', { headers: { a: 'b' } });
  const fields =
    '"\x04body0"\x08redirect_"\x07fetcher_"\x02cf_"\x05cache_"\x09integrity_"\x06signal_"\x12encodeResponseBody_{\x0a';
  assert.equal(
    text(encodeValue(request)),
    `\xff\x0f\\\x05\x0chttp://a/b?co"\x06method_"\x07headers\\\x04\x03\x01\x00\x01a\x01b${fields}`,
  );
  assert.equal(
    text(encodeValue(new Response(null, { status: 204, headers: { a: 'b' } }))),
    '\xff\x0f\\\x060o"\x06statusI\x98\x03"\x0astatusText_"\x07headers\\\x04\x03\x01\x00\x01a\x01b"\x02cf_"\x09webSocket_"\x0aencodeBody_{\x06',
  );
  const exception = new DOMException('mm', 'AbortError');
  Object.defineProperty(exception, 'stack', { value: 'S' });
  assert.equal(text(encodeValue(exception)), '\xff\x0f\\\x08\x0aAbortError\x02mm\x01S');
});

test('encodeValue copies: later changes to the value or to other bytes are not seen', () => {
  const value = { a: [1] };
  const bytes = encodeValue(value);
  value.a.push(2);
  encodeValue('something else entirely');
  assert.deepEqual(decodeValue(bytes), { a: [1] });
  assert.equal(bytes.buffer.byteLength, bytes.length);
});

test('encodeValue stores only the own bytes of a Buffer that Node cut out of its pool', () => {
  const pooled = Buffer.from('own');
  assert.notEqual(pooled.buffer.byteLength, pooled.length);
  assert.equal(text(encodeValue(pooled)), '\xff\x0fB\x03ownVB\x00\x03\x00');
});

test('encodeValue runs each getter once, even one that encodes, deletes or throws', () => {
  let runs = 0;
  const value = {
    get a(): unknown {
      runs++;
      Reflect.deleteProperty(this, 'b');
      return decodeValue(encodeValue({ inner: 'é€' }));
    },
    b: 1,
    c: new Map([[1, 2]]),
  };
  assert.deepEqual(decodeValue(encodeValue(value)), { a: { inner: 'é€' }, c: new Map([[1, 2]]) });
  assert.equal(runs, 1);
  const failing = {
    get a(): never {
      throw new EvalError('mine');
    },
  };
  assert.throws(() => encodeValue(failing), { name: 'EvalError', message: 'mine' });
  assert.equal(decodeValue(encodeValue(1)), 1);
});

test('encodeValue refuses what cannot be copied with a DataCloneError in the words of V8', () => {
  for (const [value, message] of [
    [() => 1, '() => 1 could not be cloned.'],
    [Symbol('x'), 'Symbol(x) could not be cloned.'],
    [Promise.resolve(), '#<Promise> could not be cloned.'],
    [new WeakMap(), '#<WeakMap> could not be cloned.'],
    [new Proxy({}, {}), '#<Object> could not be cloned.'],
    [new SharedArrayBuffer(1), '#<SharedArrayBuffer> could not be cloned.'],
    [new Uint8Array(new SharedArrayBuffer(1)), '#<SharedArrayBuffer> could not be cloned.'],
    [(function () { return arguments; })(), '#<Object> could not be cloned.'], // prettier-ignore
    [(function* () {})(), '[object Generator] could not be cloned.'],
    [[].values(), '[object Array Iterator] could not be cloned.'],
    [new Intl.NumberFormat(), '#<NumberFormat> could not be cloned.'],
    [Object(Symbol('x')), '[object Symbol] could not be cloned.'],
    [new (class Mine extends Promise<void> {})(() => {}), '#<Mine> could not be cloned.'],
    [{ deep: [new Map([[1, () => 1]])] }, '() => 1 could not be cloned.'],
  ] as const) {
    assert.throws(() => encodeValue(value), { name: 'DataCloneError', code: 25, message });
  }
  const detached = new ArrayBuffer(1);
  detached.transfer();
  assert.throws(() => encodeValue(detached), /An ArrayBuffer is detached/);
});

test('encodeValue refuses classes of the platform by name, and streams because they cannot be stored', () => {
  const unsupported = (name: string): string =>
    `Could not serialize object of type "${name}". This type does not support serialization.`;
  for (const [value, message] of [
    [new URL('http://a'), unsupported('URL')],
    [new (class MyUrl extends URL {})('http://a'), unsupported('MyUrl')],
    [new AbortController(), unsupported('AbortController')],
    [new File(['x'], 'name'), unsupported('File')],
    [new (class MyFile extends File {})(['x'], 'name'), unsupported('MyFile')],
    [Object.create(Blob.prototype), unsupported('Blob')],
    [new FormData(), unsupported('FormData')],
    [AbortSignal.abort(), 'AbortSignal serialization is not enabled.'],
    [new Response('x'), 'ReadableStream can only be serialized for RPC.'],
    [
      new Request('http://a', { method: 'POST', body: 'x' }),
      'ReadableStream can only be serialized for RPC.',
    ],
    [new ReadableStream(), 'ReadableStream can only be serialized for RPC.'],
    [new WritableStream(), 'WritableStream can only be serialized for RPC.'],
  ] as const) {
    assert.throws(() => encodeValue([value]), { name: 'DataCloneError', message });
  }
});

test('refuseToStore keeps a class and its subclasses out of storage', () => {
  class Id {}
  class Target {}
  refuseToStore(Id.prototype);
  refuseToStore(Target.prototype, 'not this one');
  assert.throws(() => encodeValue(new Id()), /Could not serialize object of type "Id"/);
  const derived = new (class extends Target {})();
  assert.throws(() => encodeValue([derived]), { name: 'DataCloneError', message: 'not this one' });
});

test('explainRefusals words the refusal of a Proxy or a function that stands for something', () => {
  const stub = new Proxy(() => {}, {});
  explainRefusals((value) => (value === stub ? 'not a stub' : undefined));
  assert.throws(() => encodeValue({ stub }), { name: 'DataCloneError', message: 'not a stub' });
  assert.throws(() => encodeValue(new Proxy({}, {})), { message: '#<Object> could not be cloned.' });
});

test('encodeValue of a value nested too deeply is a RangeError, and the next value is not affected', () => {
  const deep: { a?: object } = {};
  let inner = deep;
  for (let i = 0; i < 100_000; i++) inner = inner.a = {};
  assert.throws(() => encodeValue(deep), { name: 'RangeError', message: 'Maximum call stack size exceeded' });
  assert.deepEqual(decodeValue(encodeValue({ a: {} })), { a: {} });
});

test('encodePlain writes plain data as encodeValue does, and leaves everything else to others', () => {
  const shared = [1, 'two', null, undefined, true, 3n];
  const plain = { shared, again: shared, date: new Date(0), nested: { deep: [[]] }, ['__proto__']: 1 };
  assert.deepEqual(encodePlain(plain), encodeValue(plain));
  class Point {}
  const others = [
    () => {},
    new Point(),
    new Map(),
    new Error('no'),
    new Uint8Array(1),
    Object.create(null),
    new Proxy({}, {}),
  ];
  for (const other of others) assert.equal(encodePlain([{ other }]), undefined);
  assert.throws(() => encodePlain([Symbol('no')]), { name: 'DataCloneError' });
  assert.deepEqual(encodePlain([1]), encodeValue([1]));
});
