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
    ['\\\x05', 'platform class 5'],
    ['\\\x04\x03\x01\x02\x01a', 'abbreviated names'],
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
