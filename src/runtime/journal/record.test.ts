import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Position, formatPosition, parsePosition } from './position.ts';
import { noSalt } from './salt.ts';
import { readClaimedLength, readRecord, recordHeaderBytes, measureSpan, writeRecord } from './record.ts';

const position = fc.integer({ min: 1, max: 2 ** 50 - 1 }).map((eighths) => (eighths * 8) as Position);

test('readRecord returns what writeRecord wrote, at any place and of any length', () => {
  const anyRecord = fc.record({
    position,
    settled: position,
    time: fc.double({ noNaN: true }),
    payload: fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 4 }),
  });
  const half = fc.nat(2 ** 32 - 1);
  const anySalt = fc.record({ low: half, high: half });
  fc.assert(
    fc.property(anyRecord, anySalt, fc.nat(100), (record, salt, offset) => {
      const payload = Buffer.concat(record.payload);
      const span = measureSpan(payload.length);
      const target = Buffer.alloc(offset + span + 3);
      equal(writeRecord(target, offset, record, salt), offset + span);
      const read = readRecord(target, offset, { position: record.position, salt })!;
      deepEqual(
        { ...read, payload: Buffer.from(read.payload) },
        { ...record, payload, end: record.position + span },
      );
    }),
  );
});

test('measureSpan keeps every record at a multiple of eight', () => {
  equal(measureSpan(0), recordHeaderBytes);
  equal(measureSpan(1), recordHeaderBytes + 8);
  equal(measureSpan(8), recordHeaderBytes + 8);
  equal(measureSpan(9), recordHeaderBytes + 16);
});

test('readRecord refuses a record with any bit flipped, one for another position or salt, and one that is cut', () => {
  const payload = [Buffer.from('hello, journal')];
  const span = measureSpan(payload[0]!.length);
  const length = recordHeaderBytes + payload[0]!.length;
  const whole = Buffer.alloc(span);
  const at = 4096 as Position;
  const place = { position: at, salt: { low: 0xdeadbeef, high: 0xfeedface } };
  writeRecord(whole, 0, { position: at, settled: at, time: 1.5, payload }, place.salt);
  for (let bit = 0; bit < length * 8; bit++) {
    const flipped = Buffer.from(whole);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    equal(readRecord(flipped, 0, place), undefined, `bit ${bit}`);
  }
  for (let cut = 0; cut < length; cut++)
    equal(readRecord(whole.subarray(0, cut), 0, place), undefined, `cut at ${cut}`);
  equal(readRecord(whole, 0, { ...place, position: (at + 8) as Position }), undefined);
  equal(readRecord(whole, 0, { ...place, salt: noSalt }), undefined);
  equal(readRecord(whole, 8, place), undefined);
});

test('readClaimedLength returns how many bytes make the record complete, and undefined for zeros', () => {
  const whole = Buffer.alloc(measureSpan(100));
  const place = { position: 8 as Position, salt: noSalt };
  const record = { position: place.position, settled: place.position, time: 0, payload: [Buffer.alloc(100)] };
  writeRecord(whole, 0, record, place.salt);
  equal(readClaimedLength(whole.subarray(0, recordHeaderBytes), 0, place), recordHeaderBytes + 100);
  equal(readClaimedLength(whole.subarray(0, recordHeaderBytes - 1), 0, place), undefined);
  equal(readClaimedLength(Buffer.alloc(64), 0, { ...place, position: 0 as Position }), undefined);
});

test('formatPosition sorts as text as positions do, and parsePosition reads nothing else', () => {
  fc.assert(
    fc.property(position, position, (a, b) => {
      equal(parsePosition(formatPosition(a)), a);
      equal(
        Math.sign(a - b),
        formatPosition(a) < formatPosition(b) ? -1 : formatPosition(a) > formatPosition(b) ? 1 : 0,
      );
    }),
  );
  for (const text of [
    '',
    '8',
    '000000000000000G',
    '00000000000000080',
    ' 000000000000008',
    'ffffffffffffffff',
  ]) {
    equal(parsePosition(text), undefined, text);
  }
});
