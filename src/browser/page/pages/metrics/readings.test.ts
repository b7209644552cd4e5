import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { computeMean, computeRate, createReading, type Metric } from './readings.ts';

test('computeRate and computeMean compare two readings, and say nothing where there is nothing to say', () => {
  const read = (total: number, count: number, atMs: number) =>
    createReading(
      [
        { name: 'calls', help: '', type: 'counter', points: [{ labels: {}, value: total }] },
        {
          name: 'seconds',
          help: '',
          type: 'histogram',
          points: [{ labels: {}, distribution: { bounds: [1], counts: [count, 0], sum: count / 2 } }],
        },
      ] satisfies Metric[],
      atMs,
    );
  equal(computeRate(read(10, 0, 0), read(30, 0, 2_000), 'calls'), 10);
  equal(computeRate(read(30, 0, 0), read(5, 0, 2_000), 'calls'), undefined, 'the program was started again');
  equal(computeRate(read(1, 0, 0), read(2, 0, 1_000), 'unknown'), undefined);
  equal(computeMean(read(0, 2, 0), read(0, 6, 1_000), 'seconds'), 0.5);
  equal(computeMean(read(0, 2, 0), read(0, 2, 1_000), 'seconds'), undefined);
});
