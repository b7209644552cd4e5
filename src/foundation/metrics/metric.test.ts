import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Counter, Histogram, Reading, writePrometheus } from './metric.ts';

test('Counter writes a line per set of labels, escaped', () => {
  const counter = new Counter('calls_total', 'Calls.');
  counter.with({ operation: 'a"\\\n', status: '2xx' }).add();
  counter.with({ operation: 'b' }).add(2);
  counter.with({ operation: 'b' }).add();
  assert.equal(
    writePrometheus(counter.read()),
    `# HELP calls_total Calls.
# TYPE calls_total counter
calls_total{operation="a\\"\\\\\\n",status="2xx"} 1
calls_total{operation="b"} 3
`,
  );
});

test('Counter keeps a bounded number of series', () => {
  const counter = new Counter('calls_total', 'Calls.');
  for (let i = 0; i < 6_000; i++) counter.with({ i: String(i) }).add();
  assert.equal(writePrometheus(counter.read()).match(/^calls_total\{/gm)!.length, 5_000);
});

test('Histogram writes cumulative buckets', () => {
  const histogram = new Histogram('seconds', 'Time.', [0.1, 1]);
  for (const value of [0.05, 0.1, 0.5, 7]) histogram.with({ operation: 'a' }).observe(value);
  histogram.with().observe(0);
  assert.deepEqual(writePrometheus(histogram.read()).split('\n').slice(2), [
    'seconds_bucket{operation="a",le="0.1"} 2',
    'seconds_bucket{operation="a",le="1"} 3',
    'seconds_bucket{operation="a",le="+Inf"} 4',
    'seconds_sum{operation="a"} 7.65',
    'seconds_count{operation="a"} 4',
    'seconds_bucket{le="0.1"} 1',
    'seconds_bucket{le="1"} 1',
    'seconds_bucket{le="+Inf"} 1',
    'seconds_sum 0',
    'seconds_count 1',
    '',
  ]);
});

test('Reading takes its value when it is written', () => {
  let value = 1;
  const gauge = new Reading('open', 'Open.', () => value);
  value = 2;
  assert.equal(writePrometheus(gauge.read()), '# HELP open Open.\n# TYPE open gauge\nopen 2\n');
});
