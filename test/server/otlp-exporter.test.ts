/** The exporter against a collector over HTTP. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { Counter, Histogram, Reading } from '#metrics';
import {
  OtlpExporter,
  type OtlpExporterOptions,
} from '../../src/program/observability/telemetry/otlp-exporter.ts';
import type { Span } from '../../src/program/observability/telemetry/span.ts';
import { OtlpCollector } from './otlp-collector.ts';

const span: Span = {
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
  parentSpanId: undefined,
  name: 'GET',
  kind: 'server',
  startMs: 1_700_000_000_000.25,
  endMs: 1_700_000_000_001.5,
  attributes: { 'http.response.status_code': 200, share: 0.5, flag: true, text: 'a\ud800', none: undefined },
  isError: false,
};

function createExporter(
  collector: Pick<OtlpCollector, 'url'>,
  options: Partial<OtlpExporterOptions> = {},
): { exporter: OtlpExporter; failures: string[]; read: (name: string) => Record<string, number> } {
  const failures: string[] = [];
  const exporter = new OtlpExporter({
    endpoint: collector.url,
    headers: { authorization: 'Bearer abc' },
    resource: { serviceName: 'edge-1', version: '1.2.3', instanceId: 'i' },
    metrics: () => [],
    metricsIntervalMs: 0,
    onFailure: (signal, error) => failures.push(`${signal}: ${(error as Error).message}`),
    retryMsMin: 1,
    ...options,
  });
  const read = (name: string): Record<string, number> => {
    const { points } = exporter.metrics.find((metric) => metric.name === name)!.read();
    return Object.fromEntries(
      points.map(({ labels, value }) => [Object.values(labels).join(' '), value as number]),
    );
  };
  return { exporter, failures, read };
}

test('OtlpExporter sends spans with their attributes and the resource', async () => {
  await using collector = await OtlpCollector.listen();
  const { exporter, read } = createExporter(collector);
  exporter.addSpan(span);
  exporter.addSpan({ ...span, parentSpanId: span.spanId, isError: true });
  await exporter.flushSpans();
  equal(collector.problem, undefined);
  const [first, second] = collector.spans;
  equal(first!.nanoseconds, 1_250_000n);
  deepEqual(first!.attributes, { 'http.response.status_code': 200, share: 0.5, flag: true, text: 'a\ufffd' });
  deepEqual(first!.resource, {
    'service.name': 'edge-1',
    'service.version': '1.2.3',
    'service.instance.id': 'i',
  });
  deepEqual([second!.parentSpanId, second!.isError, second!.kind], [span.spanId, true, 2]);
  equal(collector.headers[0]!.authorization, 'Bearer abc');
  deepEqual(read('gatehouse_otlp_spans_total'), { sent: 2, dropped: 0 });
  await exporter.close();
});

test('OtlpExporter sends metrics of all kinds', async () => {
  await using collector = await OtlpCollector.listen();
  const counter = new Counter('requests_total', 'Requests.');
  counter.with({ verdict: 'blocked' }).add(3);
  const histogram = new Histogram('wait_seconds', 'Time.', [0.1, 1]);
  for (const value of [0.05, 0.5, 7]) histogram.with().observe(value);
  const gauge = new Reading('free_bytes', 'Bytes.', () => 42.5);
  const empty = new Reading('absent', 'Nothing yet.', () => undefined);
  const { exporter } = createExporter(collector, { metrics: () => [counter, histogram, gauge, empty] });
  await exporter.exportMetrics();
  equal(collector.problem, undefined);
  deepEqual([...collector.metrics.keys()], ['requests_total', 'wait_seconds', 'free_bytes']);
  const { kind, points, unit } = collector.metrics.get('requests_total')!;
  deepEqual(
    [kind, unit, points[0]!['asDouble'], points[0]!['attributes']],
    ['sum', '1', 3, { verdict: 'blocked' }],
  );
  const [wait] = collector.metrics.get('wait_seconds')!.points;
  deepEqual(
    [wait!['bucketCounts'], wait!['explicitBounds'], wait!['sum']],
    [['1', '1', '1'], [0.1, 1], 7.55],
  );
  deepEqual(
    [collector.metrics.get('free_bytes')!.unit, collector.metrics.get('free_bytes')!.kind],
    ['By', 'gauge'],
  );
  await exporter.close();
});

test('OtlpExporter tries again what the collector cannot take now, and drops what it refuses', async () => {
  await using collector = await OtlpCollector.listen();
  const { exporter, failures, read } = createExporter(collector);
  collector.refusals.push(503, 429);
  exporter.addSpan(span);
  await exporter.flushSpans();
  equal(collector.spans.length, 1);
  deepEqual(failures, []);
  collector.refusals.push(400);
  exporter.addSpan(span);
  await exporter.flushSpans();
  deepEqual(failures, ['traces: the collector answered with status 400']);
  deepEqual(read('gatehouse_otlp_spans_total'), { sent: 1, dropped: 1 });
  deepEqual(read('gatehouse_otlp_exports_total'), { 'traces sent': 1, 'traces failed': 1 });
  await exporter.close();
});

test('OtlpExporter keeps a bounded number of spans while the collector is away, and reports it once', async () => {
  const { exporter, failures, read } = createExporter({ url: 'http://127.0.0.1:1' });
  for (let count = 0; count < 20_000; count++) exporter.addSpan(span);
  const { dropped } = read('gatehouse_otlp_spans_total');
  ok(dropped! >= 20_000 - 8_192 - 512 && dropped! < 20_000, `${dropped} dropped`);
  await exporter.flushSpans();
  deepEqual(read('gatehouse_otlp_spans_total'), { sent: 0, dropped: 20_000 });
  equal(failures.length, 1);
  await exporter.close();
});
