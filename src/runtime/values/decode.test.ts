import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ValueFormatError, decodeValue, encodeValue } from '#values';

const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const roundTrip = (value: unknown): unknown => decodeValue(encodeValue(value));

test('decodeValue gives back what was stored, made afresh each time', () => {
  const shared = { deep: [1.5, -0, NaN, Infinity, 2 ** 31, -(2 ** 31)] };
  const value = {
    shared,
    again: shared,
    holes: [1, , 3], // oxlint-disable-line no-sparse-arrays
    sparse: Object.assign([], { 100_000: 'far' }),
    lone: '\ud800 and \udc00',
    map: new Map<unknown, unknown>([[{ key: 1 }, undefined]]),
    boxed: [Object(1), Object('a'), Object(true), Object(1n)],
    when: [new Date(0), new Date(NaN)],
    pattern: /a+/giu,
    bytes: new Uint8Array([1, 2, 3]).subarray(1),
    view: new DataView(new ArrayBuffer(4), 1, 2),
    numbers: { 7: 'seven', 4294967295: 'not an index' },
  };
  const bytes = encodeValue(value);
  const first = decodeValue(bytes) as typeof value;
  const second = decodeValue(bytes) as typeof value;
  assert.deepStrictEqual(first, value);
  assert.equal(first.shared, first.again);
  assert.notEqual(first.shared, second.shared);
  assert.notEqual(first.bytes.buffer, second.bytes.buffer);
  assert.equal(1 in first.holes, false);
  assert.equal(first.bytes.byteOffset, 1);
});

test('decodeValue keeps name, message, stack and cause of an error and nothing else', () => {
  class Custom extends RangeError {}
  const error = Object.assign(new Custom('why', { cause: { deeper: true } }), { extra: 1 });
  const copy = roundTrip(error) as Error;
  assert.equal(Object.getPrototypeOf(copy), RangeError.prototype);
  assert.deepEqual([copy.name, copy.message, copy.stack], ['RangeError', 'why', error.stack]);
  assert.deepEqual(copy.cause, { deeper: true });
  assert.deepEqual(Object.keys(copy), []);
  assert.equal((roundTrip(new AggregateError([1], 'x')) as Error).constructor, Error);
  const circular = new Error('round');
  circular.cause = circular;
  const copied = roundTrip(circular) as Error;
  assert.equal(copied.cause, copied);
});

test('decodeValue reads Headers and DOMException', () => {
  const headers = roundTrip(new Headers([['set-cookie', 'a'], ['set-cookie', 'b'], ['x', 'y']])) as Headers; // prettier-ignore
  assert.deepEqual([headers.getSetCookie(), headers.get('x')], [['a', 'b'], 'y']);
  const [first, second] = roundTrip(
    Array.from({ length: 2 }).fill(new DOMException('m', 'AbortError')),
  ) as DOMException[];
  assert.deepEqual([first!.name, first!.message, first!.code], ['AbortError', 'm', 20]);
  assert.equal(first, second);
});

test('decodeValue keeps views that follow the length of a resizable buffer', () => {
  const buffer = new ArrayBuffer(2, { maxByteLength: 8 });
  const [tracking, fixed] = roundTrip([
    new Uint8Array(buffer),
    new Uint8Array(buffer, 0, 1),
  ]) as Uint8Array<ArrayBuffer>[];
  tracking!.buffer.resize(8);
  assert.deepEqual([tracking!.length, fixed!.length], [8, 1]);
  assert.equal(tracking!.buffer, fixed!.buffer);
});

test('decodeValue makes own properties of keys that Object.prototype knows', () => {
  const value = JSON.parse('{"__proto__":{"polluted":1},"constructor":2,"toString":3}') as object;
  const copy = roundTrip(value) as object;
  assert.deepEqual(Object.entries(copy), Object.entries(value));
  assert.equal(Object.getPrototypeOf(copy), Object.prototype);
});

test('decodeValue reads values of older versions, with and without a header', () => {
  assert.deepEqual(decodeValue(bytesOf('o"\x01aI\x02{\x01')), { a: 1 });
  assert.deepEqual(decodeValue(bytesOf('\xff\x0do"\x01aI\x02{\x01')), { a: 1 });
  assert.throws(() => decodeValue(bytesOf('\xff\x10I\x02')), /version 16, which is not supported/);
  assert.throws(() => decodeValue(bytesOf('nonsense')), ValueFormatError);
  assert.throws(() => decodeValue(new Uint8Array()), ValueFormatError);
});

const show = async (blob: Blob): Promise<unknown[]> => [blob.constructor, blob.type, await blob.text()];

test('decodeValue gives a Blob back with its bytes and type, wherever it is in the value', async () => {
  const blob = new Blob(['héllo', Uint8Array.of(0x21)], { type: 'Text/Plain' });
  const { here, again, slice, empty, mine } = roundTrip({
    here: blob,
    again: new Map([[blob, [new Set([blob])]]]),
    slice: blob.slice(1, 3, 'a/b'),
    empty: new Blob([], { type: 'a/b' }),
    mine: Object.assign(new (class Mine extends Blob {})(['m']), { extra: 1 }),
  }) as { again: Map<Blob, [Set<Blob>]> } & Record<'here' | 'slice' | 'empty' | 'mine', Blob>;
  assert.deepEqual(await show(here), [Blob, 'text/plain', 'héllo!']);
  assert.deepEqual([...again.keys(), ...again.get(here)![0]], [here, here]);
  assert.equal([...again.keys()][0], here);
  assert.deepEqual(await show(slice), [Blob, 'a/b', 'é']);
  assert.deepEqual(await show(empty), [Blob, 'a/b', '']);
  assert.deepEqual(await show(mine), [Blob, '', 'm']);
});

test('decodeValue gives a Request and a Response without a body back', () => {
  const sent = new Request('http://a/b?c', { method: 'PUT', redirect: 'manual', headers: { a: 'b' } });
  const [request, response, redirect, error] = roundTrip([
    Object.assign(sent, { cf: { country: 'NZ' } }),
    new Response(null, { status: 204, statusText: 'Fine', headers: { c: 'd' } }),
    Response.redirect('http://a/'),
    Response.error(),
  ]) as [Request, Response, Response, Response];
  const { method, url, headers } = request;
  assert.deepEqual(
    [method, url, request.redirect, [...headers]],
    ['PUT', 'http://a/b?c', 'manual', [['a', 'b']]],
  );
  assert.deepEqual(Reflect.get(request, 'cf'), { country: 'NZ' });
  assert.deepEqual(
    [response.status, response.statusText, [...response.headers]],
    [204, 'Fine', [['c', 'd']]],
  );
  assert.deepEqual([redirect.status, redirect.headers.get('location')], [302, 'http://a/']);
  assert.deepEqual([error.status, error.type], [0, 'error']);
});

test('decodeValue reads what workerd writes and this does not: abbreviated names, errors with their own properties', () => {
  // Captured from workerd 1.20261104.1, with the compatibility date 2026-11-01.
  const headers = decodeValue(
    bytesOf('\xff\x0f\\\x04\x03\x04\x11\x03x/y)\x011)\x012\x00\x01a\x01b'),
  ) as Headers;
  assert.deepEqual([...headers], [['a', 'b'], ['content-type', 'x/y'], ['set-cookie', '1'], ['set-cookie', '2']]); // prettier-ignore
  const error = (rest: string): Error => decodeValue(bytesOf(`\xff\x0f\\\x0a${rest}`)) as Error;
  const shown = [
    error('\x01"\x01mo"\x05stack"\x01S"\x04codeI\x0e{\x02'),
    error('\x00"\x03Odd"\x01mo"\x05stack"\x01S{\x01'),
    error('\x0c"\x01mo"\x05stack"\x01S"\x06errorsA\x01I\x02$\x00\x01{\x02'),
    error('\x03"\x01mo"\x05stack"\x01S{\x01'),
  ].map((each) => [each.constructor, each.name, each.message, each.stack, Object.entries(each)]);
  assert.deepEqual(shown, [
    [Error, 'Error', 'm', 'S', [['code', 7]]],
    [Error, 'Odd', 'm', 'S', [['name', 'Odd']]],
    [AggregateError, 'AggregateError', 'm', 'S', [['errors', [1]]]],
    [RangeError, 'RangeError', 'm', 'S', []],
  ]);
});

test('decodeValue reports malformed bytes as a ValueFormatError that says where', () => {
  for (const [bytes, message] of [
    ['', 'is cut short, at byte 2 of 2'],
    ['"\x05abc', 'is cut short'],
    ['I\xff\xff\xff\xff\xff\x01', 'holds a length that is too large'],
    ['I\xff\xff\xff\xff\x1f', 'holds a length that is too large'],
    ['c\x03abc', 'a two-byte string of odd length'],
    ['^\x00', 'refers to an object it does not hold'],
    ['A\xff\xff\xff\xff\x0f0', 'is cut short'],
    ['B\xff\xff\xff\xff\x0f0', 'is cut short'],
    ['~\x02\x01ab', 'a buffer larger than its maximum'],
    ['B\x02abVW\x01\x01\x00', 'a view that does not fit its buffer'],
    ['B\x02abVB\x01\x02\x00', 'a view that does not fit its buffer'],
    ['B\x02abVB\x00\x00\x01', 'a view that does not fit its buffer'],
    ['B\x02abVX\x01\x02\x00', 'the unknown kind of view 88'],
    ['oT0{\x01', 'something else where a key belongs'],
    ['o"\x01a0{\x02', 'does not hold as much as it says'],
    ['R0\x00', 'something else where a string belongs'],
    ['R"\x01(\x00', 'a regular expression that is not valid'],
    ['rq', 'an error that is not well formed'],
    ['\\\x07', 'platform class 7'],
    ['\\\x04\x03\x01\x30\x01a', 'Headers with the unknown name 48'],
    ['\\\x05\x01ao{\x00', 'a Request that is not valid'],
    ['\\\x06"\x01xo{\x00', 'a Response that is not valid'],
    ['\\\x0a\x63', 'an error of class 99'],
    ['\\\x0a\x01I\x02o{\x00', 'an error that is not well formed'],
    ['\\\x0f\x00\x05x', 'is cut short'],
    ['\\\x05\x00^\x00', 'refers to an object it does not hold'],
    ['\\\x04\x03\x01\x00\x01 \x01a', 'Headers that are not valid'],
    ['!', 'the unknown tag 33'],
    ['00', 'is followed by other bytes'],
    ['A\x01'.repeat(500_000), 'nested too deeply'],
  ] as const) {
    assert.throws(
      () => decodeValue(bytesOf(`\xff\x0f${bytes}`)),
      (error) => error instanceof ValueFormatError && error.message.includes(message),
      `${bytes.slice(0, 20)}: ${message}`,
    );
  }
});

test('decodeValue of an array that claims to be huge allocates next to nothing', () => {
  const before = process.memoryUsage().heapTotal;
  const array = decodeValue(bytesOf('\xff\x0fa\xff\xff\xff\x0f@\x00\xff\xff\xff\x0f')) as unknown[];
  assert.equal(array.length, 2 ** 25 - 1);
  assert.ok(process.memoryUsage().heapTotal - before < 64 * 2 ** 20);
});

test('decodeValue of damaged bytes either fails with a ValueFormatError or gives some value', () => {
  const samples = [
    { a: 1, b: 'hello', c: [1, 2.5, 'é€'], d: new Date(0), e: { f: null } },
    [new Map([[1, { x: new Set([1n, 'two'])}]]), /x/g, Object('s')], // prettier-ignore
    [new Uint16Array([1, 2]), new ArrayBuffer(2, { maxByteLength: 4 }), new TypeError('m', { cause: 1 })],
    [new Headers({ a: 'b' }), new DOMException('m', 'n'), [, 1]], // oxlint-disable-line no-sparse-arrays
    [new Blob(['x'], { type: 'a/b' }), new Request('http://a/'), new Response(null, { status: 204 })],
  ].map(encodeValue);
  const edit = fc.tuple(
    fc.nat(),
    fc.nat({ max: 255 }),
    fc.constantFrom('replace', 'insert', 'remove', 'cut'),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...samples),
      fc.array(edit, { minLength: 1, maxLength: 4 }),
      (sample, edits) => {
        const bytes = [...sample];
        for (const [at, byte, how] of edits) {
          const index = 2 + (at % bytes.length);
          if (how === 'replace') bytes[index] = byte;
          else if (how === 'insert') bytes.splice(index, 0, byte);
          else bytes.splice(index, how === 'cut' ? bytes.length : 1);
        }
        try {
          decodeValue(Uint8Array.from(bytes, (byte) => byte ?? 0));
        } catch (error) {
          assert.ok(error instanceof ValueFormatError, String(error));
        }
      },
    ),
    { numRuns: 4_000 },
  );
});
