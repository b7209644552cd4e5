import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testCountdown, testNotZero, testNull, testPositive, testRows, testTruth } from './facts.ts';

test('testNull learns from either outcome what it did not know', () => {
  assert.deepEqual(testNull('unknown'), [
    { jumps: true, after: 'null' },
    { jumps: false, after: 'some' },
  ]);
  assert.deepEqual(testNull(7), [{ jumps: false, after: 7 }]);
});

test('testTruth goes by the number, and for NULL by what the instruction says', () => {
  assert.deepEqual(testTruth(0, true), [{ jumps: false, after: 0 }]);
  assert.deepEqual(testTruth('null', true), [{ jumps: true, after: 'null' }]);
  assert.deepEqual(testTruth('unknown', false), [
    { jumps: true, after: 'true' },
    { jumps: false, after: 'unknown' },
  ]);
});

test('testPositive remembers a register that has run down', () => {
  assert.deepEqual(testPositive('unknown', 1), [
    { jumps: true, after: 'unknown' },
    { jumps: false, after: 'nonpos' },
  ]);
  assert.deepEqual(testPositive('nonpos', 1), [{ jumps: false, after: 'nonpos' }]);
});

test('testNotZero and testCountdown follow a known number for one step only', () => {
  assert.deepEqual(testNotZero(5), [{ jumps: true, after: 'unknown' }]);
  assert.deepEqual(testNotZero(0), [{ jumps: false, after: 0 }]);
  assert.deepEqual(testCountdown(1), [{ jumps: true, after: 0 }]);
  assert.deepEqual(testCountdown(0), [{ jumps: false, after: -1 }]);
});

test('testRows remembers that a table is empty', () => {
  assert.deepEqual(testRows('unknown'), [
    { jumps: false, after: 'true' },
    { jumps: true, after: 'false' },
  ]);
  assert.deepEqual(testRows('false'), [{ jumps: true, after: 'false' }]);
});
