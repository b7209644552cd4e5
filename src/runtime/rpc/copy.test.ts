import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RpcTarget, copyForRpc, outside } from '#rpc';

const exported: object[] = [];
const copy = <T>(value: T): T =>
  copyForRpc(value, {
    to: outside,
    exportTarget: (target) => {
      exported.push(target);
      return { stubOf: target };
    },
  }) as T;

test('copyForRpc returns separate, equal values for random trees', () => {
  const tree = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true, withSparseArray: true }); // prettier-ignore
  fc.assert(
    fc.property(tree, (value) => {
      const copied = copy(value);
      assert.deepStrictEqual(copied, value);
      if (typeof value === 'object' && value !== null) assert.notEqual(copied, value);
    }),
  );
});

test('copyForRpc keeps holes, shared references and cycles', () => {
  const shared = { a: 1 };
  const value: unknown[] = [shared, , shared, new Map([[shared, shared]])]; // oxlint-disable-line no-sparse-arrays
  value.push(value);
  Object.assign(value, { extra: shared });
  const copied = copy(value) as unknown[] & { extra: object };
  assert.equal(1 in copied, false);
  assert.equal(copied[0], copied[2]);
  assert.equal((copied[3] as Map<object, object>).get(copied[0] as object), copied[0]);
  assert.equal(copied[4], copied);
  assert.equal(copied.extra, copied[0]);
});

test('copyForRpc copies bytes: views share the copied buffer, a pooled Buffer brings only its own', () => {
  const buffer = new ArrayBuffer(8);
  const value = {
    bytes: new Uint8Array(buffer, 2, 3),
    view: new DataView(buffer, 1, 2),
    buffer,
    pooled: Buffer.from('abc'),
  };
  const copied = copy(value);
  assert.deepStrictEqual(copied.bytes, value.bytes);
  assert.equal(copied.bytes.buffer, copied.buffer);
  assert.deepEqual([copied.view.byteOffset, copied.view.byteLength], [1, 2]);
  assert.notEqual(copied.buffer, buffer);
  assert.deepEqual([...copied.pooled], [97, 98, 99]);
  assert.equal(copied.pooled.buffer.byteLength, 3);
});

test('copyForRpc keeps class, message, stack and cause of an error, and nothing else', () => {
  class Custom extends Error {
    override readonly name = 'Custom';
  }
  const error = Object.assign(new RangeError('m', { cause: new Custom('inner') }), { extra: 1 });
  const copied = copy(error);
  assert.equal(copied.constructor, RangeError);
  assert.deepEqual([copied.message, copied.stack, Object.keys(copied)], ['m', error.stack, []]);
  const cause = copied.cause as Error;
  assert.deepEqual([cause.constructor, cause.name, cause.message], [Error, 'Error', 'inner']);
});

test('copyForRpc puts one stub in place of each function, RpcTarget and Proxy', () => {
  exported.length = 0;
  const f = (): number => 1;
  const target = new (class extends RpcTarget {})();
  const proxy = new Proxy({}, {});
  const copied = copy({ f, list: [f, target], set: new Set([proxy]) }) as unknown as {
    f: object;
    list: object[];
  };
  assert.deepEqual(copied.f, { stubOf: f });
  assert.equal(copied.f, copied.list[0]);
  assert.equal(exported.length, 3);
});

test('copyForRpc passes platform objects as they are, except Headers, which are copied', () => {
  const headers = new Headers({ a: 'b' });
  const value = [
    new Response('x'),
    new ReadableStream({ type: 'bytes' }),
    new Blob(['x']),
    AbortSignal.abort(),
    headers,
  ] as const;
  const copied = copy(value);
  assert.deepEqual([0, 1, 2, 3, 4].map((i) => copied[i] === value[i]), [true, true, true, true, false]); // prettier-ignore
  assert.equal(copied[4].get('a'), 'b');
});

test('copyForRpc makes streams of bytes of others, which are locked then', async () => {
  const shared = Uint8Array.of(1, 2);
  const chunks = ['é', '', shared, shared.buffer, new DataView(shared.buffer, 1)];
  const stream = ReadableStream.from(chunks);
  const readable = copy(stream);
  assert.ok(stream.locked);
  assert.equal(copy(readable), readable, 'one of bytes is passed as it is');
  const read = await Array.fromAsync(readable as unknown as AsyncIterable<unknown>);
  assert.deepEqual(read, [[0xc3, 0xa9], [1, 2], [1, 2], [2]].map((bytes) => Uint8Array.from(bytes))); // prettier-ignore
  assert.deepEqual([...shared], [1, 2], 'chunks stay their owner’s');
  await assert.rejects(
    new Response(copy(new ReadableStream({ pull: (controller) => controller.enqueue(5 as never) }))).text(),
    { name: 'TypeError', message: 'This ReadableStream did not return bytes.' },
  );
  const empty = copy(ReadableStream.from([])).getReader({ mode: 'byob' });
  assert.deepEqual(await empty.read(new Uint8Array(1)), { done: true, value: new Uint8Array(0) });

  const got: unknown[] = [];
  const sink = new WritableStream({
    write: (chunk) => void got.push(chunk),
    abort: (reason: Error) => void got.push(reason.name),
  });
  const writable = copy(sink);
  assert.ok(sink.locked);
  assert.equal(copy(writable), writable);
  const writer = (writable as WritableStream<unknown>).getWriter();
  for (const chunk of ['a', shared, undefined]) await writer.write(chunk);
  await assert.rejects(writer.write(5), { name: 'TypeError', message: /non-ArrayBuffer/ });
  assert.deepEqual(got, [Uint8Array.of(97).buffer, Uint8Array.of(1, 2).buffer, 'TypeError']);
});

test('copyForRpc refuses values without a serialised form', () => {
  class Foo {}
  const type = (name: string): string =>
    `Could not serialize object of type "${name}". This type does not support serialization.`;
  for (const [value, message] of [
    [new Foo(), type('Foo')],
    [Object.create({ a: 1 }), type('Object')],
    [Object.create(null), type('Object')],
    [new URL('http://a'), type('URL')],
    [new AbortController(), type('AbortController')],
    [Symbol('x'), 'Symbol(x) could not be cloned.'],
    [Promise.resolve(), '#<Promise> could not be cloned.'],
    [new SharedArrayBuffer(1), '#<SharedArrayBuffer> could not be cloned.'],
    [new Uint8Array(new SharedArrayBuffer(1)), '#<SharedArrayBuffer> could not be cloned.'],
    [(function* () {})(), '[object Generator] could not be cloned.'],
  ] as const) {
    assert.throws(() => copy(value), { name: 'DataCloneError', code: 25, message });
    assert.throws(() => copy([{ value }]), { name: 'DataCloneError', message });
  }
});

test('copyForRpc refuses more than 32 MiB and says how much it was', () => {
  const text = (bytes: number): string =>
    `Serialized RPC arguments or return values are limited to 32MiB, but the size of this value was: ${bytes} bytes.`;
  assert.throws(() => copy(new Uint8Array(2 ** 25)), { name: 'Error', message: text(33_554_447) });
  assert.throws(() => copy(['x'.repeat(40_000_000)]), { name: 'Error', message: text(40_000_012) });
  assert.throws(() => copy('x'.repeat(40_000_000)), /limited to 32MiB/);
  assert.equal(copy(new Uint8Array(2 ** 25 - 20)).length, 2 ** 25 - 20);
});

test('copyForRpc makes own properties of hostile names', () => {
  const copied = copy(JSON.parse('{"__proto__":{"polluted":1},"toString":2}') as object);
  assert.deepEqual(Object.keys(copied), ['__proto__', 'toString']);
  assert.equal(Object.getPrototypeOf(copied), Object.prototype);
});
