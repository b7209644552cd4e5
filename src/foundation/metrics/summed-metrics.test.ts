import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { Counter, Histogram, type Metric, Reading, writePrometheus } from './metric.ts';
import { copyFamilies, keepCounts, sumFamilies, sumSameNames } from './summed-metrics.ts';

function createProcess(requests: number, open: number): Metric[] {
  const total = new Counter('requests_total', 'Requests.');
  total.with({ verdict: 'blocked' }).add(requests);
  const times = new Histogram('seconds', 'Time.', [1, 2]);
  for (let index = 0; index < requests; index++) times.with().observe(1.5);
  return [
    total,
    times,
    new Reading('open', 'Open.', () => open),
    new Reading('gatehouse_edge_zones', 'Zones.', () => 4),
  ];
}

test('sumFamilies adds series with the same labels, also after they were sent to another process', () => {
  const sent = [createProcess(2, 1), createProcess(3, 5)].map((metrics) =>
    structuredClone(copyFamilies(metrics)),
  );
  const sums = sumFamilies(sent.flat());
  const text = sums.map(writePrometheus).join('');
  deepEqual(
    text.split('\n').filter((line) => line !== '' && !line.startsWith('#')),
    [
      'requests_total{verdict="blocked"} 5',
      'seconds_bucket{le="1"} 0',
      'seconds_bucket{le="2"} 5',
      'seconds_bucket{le="+Inf"} 5',
      'seconds_sum 7.5',
      'seconds_count 5',
      'open 6',
      'gatehouse_edge_zones 4',
    ],
  );
  deepEqual(
    keepCounts(sums).map(({ name }) => name),
    ['requests_total', 'seconds'],
  );
});

test('sumSameNames makes one metric of those with one name', () => {
  const summed = sumSameNames([...createProcess(1, 1), ...createProcess(2, 2)]);
  equal(summed.length, 4);
  deepEqual(summed.find(({ name }) => name === 'open')!.read().points, [{ labels: {}, value: 3 }]);
});
