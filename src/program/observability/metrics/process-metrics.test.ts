import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writePrometheus } from '#metrics';
import { createProcessMetrics } from './process-metrics.ts';

test('createProcessMetrics returns numbers, including the event loop lag', () => {
  const text = createProcessMetrics('1.2.3')
    .map((metric) => writePrometheus(metric.read()))
    .join('');
  assert.match(text, /^gatehouse_build_info\{version="1\.2\.3",node="26\./m);
  assert.match(text, /^process_resident_memory_bytes [1-9]\d+$/m);
  for (const line of text
    .trimEnd()
    .split('\n')
    .filter((each) => !each.startsWith('#'))) {
    assert.ok(Number.isFinite(Number(line.slice(line.lastIndexOf(' ') + 1))), line);
  }
});
