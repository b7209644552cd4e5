/**
 * Spans and metrics as OTLP/HTTP sends them in JSON (opentelemetry-proto 1.x: 64-bit numbers are strings, ids are
 * hexadecimal).
 */
import type { Distribution } from '#base';
import type { Labels, MetricData, Point } from '#metrics';
import type { Attributes, Span } from './span.ts';

export interface TracedProgram {
  readonly serviceName: string;
  readonly version: string;
  /** Differs between processes, even on one machine. */
  readonly instanceId: string;
}

export function encodeSpans(resource: TracedProgram, spans: readonly Span[]): string {
  const scopeSpans = [{ scope: encodeScope(resource), spans: spans.map(encodeSpan) }];
  return JSON.stringify({ resourceSpans: [{ resource: encodeResource(resource), scopeSpans }] });
}

export interface Collected {
  readonly startMs: number;
  readonly nowMs: number;
  readonly families: readonly MetricData[];
}

export function encodeMetrics(resource: TracedProgram, { startMs, nowMs, families }: Collected): string {
  const times = { startTimeUnixNano: toNanoseconds(startMs), timeUnixNano: toNanoseconds(nowMs) };
  const metrics = families
    .filter(({ points }) => points.length > 0)
    .map(({ name, help, type, points }) => ({
      name,
      description: help,
      unit: findUnit(name),
      ...encodePoints(type, points, times),
    }));
  const scopeMetrics = [{ scope: encodeScope(resource), metrics }];
  return JSON.stringify({ resourceMetrics: [{ resource: encodeResource(resource), scopeMetrics }] });
}

const kinds: Readonly<Record<Span['kind'], number>> = { internal: 1, server: 2, client: 3 };
const errorStatus = { code: 2 };
const unsetStatus = {};

function encodeSpan(span: Span): object {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId === undefined ? {} : { parentSpanId: span.parentSpanId }),
    name: span.name,
    kind: kinds[span.kind],
    startTimeUnixNano: toNanoseconds(span.startMs),
    endTimeUnixNano: toNanoseconds(span.endMs),
    attributes: encodeAttributes(span.attributes),
    status: span.isError ? errorStatus : unsetStatus,
  };
}

interface Times {
  readonly startTimeUnixNano: string;
  readonly timeUnixNano: string;
}

/** Counts since the start of the process. */
const cumulative = 2;

function encodePoints(type: MetricData['type'], points: readonly Point[], times: Times): object {
  const dataPoints = points.map(({ labels, value }) =>
    typeof value === 'number'
      ? { attributes: encodeAttributes(labels), ...times, asDouble: value }
      : encodeDistribution(value, labels, times),
  );
  switch (type) {
    case 'counter':
      return { sum: { dataPoints, aggregationTemporality: cumulative, isMonotonic: true } };
    case 'gauge':
      return { gauge: { dataPoints } };
    case 'histogram':
      return { histogram: { dataPoints, aggregationTemporality: cumulative } };
  }
}

function encodeDistribution({ bounds, counts, sum }: Distribution, labels: Labels, times: Times): object {
  return {
    attributes: encodeAttributes(labels),
    ...times,
    count: String(counts.reduce((total, count) => total + count, 0)),
    sum,
    bucketCounts: Array.from(counts, String),
    explicitBounds: bounds,
  };
}

function encodeResource({ serviceName, version, instanceId }: TracedProgram): object {
  return {
    attributes: encodeAttributes({
      'service.name': serviceName,
      'service.version': version,
      'service.instance.id': instanceId,
    }),
  };
}

function encodeScope({ version }: TracedProgram): object {
  return { name: 'gatehouse', version };
}

function encodeAttributes(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: encodeValue(value) }],
  );
}

function encodeValue(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value.toWellFormed() };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** By the suffix of the name, as in Prometheus. */
function findUnit(name: string): string {
  if (/_seconds(?:_total)?$/.test(name)) return 's';
  return /_bytes(?:_total)?$/.test(name) ? 'By' : '1';
}

/** To the microsecond: nanoseconds since 1970 exceed the precision of numbers. */
function toNanoseconds(ms: number): string {
  return `${Math.round(ms * 1_000)}000`;
}
