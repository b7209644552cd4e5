/** A collector of OpenTelemetry on loopback: accepts OTLP/HTTP in JSON, checks its form, and records it. */
import { equal, match, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: number;
  readonly nanoseconds: bigint;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  readonly resource: Readonly<Record<string, unknown>>;
}

export interface CollectedMetric {
  readonly name: string;
  readonly unit: string;
  readonly kind: 'sum' | 'gauge' | 'histogram';
  readonly points: readonly Readonly<Record<string, unknown>>[];
}

// oxlint-disable-next-line typescript/no-explicit-any -- the payload is checked as it is read
type Payload = any;

export class OtlpCollector implements AsyncDisposable {
  readonly #server: Server;
  readonly url: string;
  readonly spans: CollectedSpan[] = [];
  readonly metrics = new Map<string, CollectedMetric>();
  readonly headers: IncomingHttpHeaders[] = [];
  /** Statuses to answer with before anything is accepted. */
  readonly refusals: number[] = [];
  /** The errors in the received data. */
  problem: unknown;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async listen(): Promise<OtlpCollector> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const collector = new OtlpCollector(server);
    server.on('request', async (request, response) => {
      const payload = await json(request);
      const refusal = collector.refusals.shift();
      collector.headers.push(request.headers);
      try {
        equal(request.headers['content-type'], 'application/json');
        if (refusal === undefined) collector.#take(request.url!, payload);
      } catch (error) {
        collector.problem ??= error;
      }
      response.writeHead(refusal ?? 200, { 'content-type': 'application/json' }).end('{}');
    });
    return collector;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #take(path: string, payload: Payload): void {
    if (path === '/v1/traces') for (const each of payload.resourceSpans) this.#takeSpans(each);
    else if (path === '/v1/metrics') for (const each of payload.resourceMetrics) this.#takeMetrics(each);
    else throw new Error(`an unknown path: ${path}`);
  }

  #takeSpans({ resource, scopeSpans }: Payload): void {
    for (const { spans } of scopeSpans) {
      for (const span of spans) {
        match(span.traceId, /^(?!0+$)[0-9a-f]{32}$/);
        match(span.spanId, /^(?!0+$)[0-9a-f]{16}$/);
        const nanoseconds = BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano);
        ok(nanoseconds >= 0n, `${span.name} ends after it starts`);
        this.spans.push({
          traceId: span.traceId,
          spanId: span.spanId,
          parentSpanId: span.parentSpanId,
          name: span.name,
          kind: span.kind,
          nanoseconds,
          attributes: readAttributes(span.attributes),
          isError: span.status.code === 2,
          resource: readAttributes(resource.attributes),
        });
      }
    }
  }

  #takeMetrics({ scopeMetrics }: Payload): void {
    for (const { metrics } of scopeMetrics) {
      for (const { name, unit, sum, gauge, histogram } of metrics) {
        const kind = sum === undefined ? (gauge === undefined ? 'histogram' : 'gauge') : 'sum';
        const data = sum ?? gauge ?? histogram;
        if (kind !== 'gauge') equal(data.aggregationTemporality, 2);
        for (const point of data.dataPoints) {
          ok(BigInt(point.timeUnixNano) >= BigInt(point.startTimeUnixNano));
          if (kind !== 'histogram') equal(typeof point.asDouble, 'number', name);
          else checkHistogram(point);
        }
        const points = data.dataPoints.map(({ attributes, ...rest }: Payload) => ({
          ...rest,
          attributes: readAttributes(attributes),
        }));
        this.metrics.set(name, { name, unit, kind, points });
      }
    }
  }
}

function checkHistogram({ bucketCounts, explicitBounds, count }: Payload): void {
  equal(bucketCounts.length, explicitBounds.length + 1);
  const total = bucketCounts.reduce((sum: bigint, each: string) => sum + BigInt(each), 0n);
  equal(total, BigInt(count));
}

function readAttributes(attributes: Payload): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }: Payload) => {
      const [[kind, content]] = Object.entries(value) as [[string, unknown]];
      ok(['stringValue', 'intValue', 'doubleValue', 'boolValue'].includes(kind), kind);
      return [key, kind === 'intValue' ? Number(content) : content];
    }),
  );
}
