/**
 * Sends spans and metrics to an OpenTelemetry collector over OTLP/HTTP, in JSON. Nothing waits for it: spans are queued
 * up to a limit and sent in batches, metrics are read at every interval. A batch that the collector cannot accept now
 * is retried a few times, then dropped. Everything is counted, and a failing collector is reported once a minute.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { BackOff, BatchQueue } from '#base';
import { Count, Counter, type Metric, type ReadMetrics } from '#metrics';
import { KeptConnections, operatorRules, sendRequest } from '#outbound';
import {
  closeMs,
  complaintMs,
  exportTimeoutMs,
  queuedSpansMax,
  responseBytesMax,
  retry,
  spanDelayMs,
  spansPerExport,
  triesMax,
} from './limits.ts';
import { encodeMetrics, encodeSpans, type TracedProgram } from './otlp-json.ts';
import type { Span } from './span.ts';

export interface OtlpExporterOptions {
  /** Without `/v1/traces`. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: TracedProgram;
  /** The exported metrics. */
  readonly metrics: ReadMetrics;
  /** Zero: metrics are not exported. */
  readonly metricsIntervalMs: number;
  readonly onFailure: (signal: Signal, error: unknown) => void;
  /** Shorter in tests. */
  readonly spanDelayMs?: number;
  readonly retryMsMin?: number;
}

export type Signal = 'traces' | 'metrics';

export class OtlpExporter {
  readonly #options: OtlpExporterOptions;
  readonly #exports = new Counter(
    'gatehouse_otlp_exports_total',
    'Requests to the OpenTelemetry collector, by outcome.',
  );
  readonly #spans = new Counter(
    'gatehouse_otlp_spans_total',
    'Spans sent to the collector, and spans dropped.',
  );
  readonly #sentSpans: Count;
  readonly #droppedSpans: Count;
  readonly #connections = new KeptConnections();
  readonly #end = new AbortController();
  readonly #startMs = Date.now();
  readonly #metricsTimer: NodeJS.Timeout | undefined;
  readonly #queue: BatchQueue<Span>;
  #sendingMetrics: Promise<void> | undefined;
  #nextComplaintMs = 0;

  constructor(options: OtlpExporterOptions) {
    this.#options = options;
    this.#sentSpans = this.#spans.with({ state: 'sent' });
    this.#droppedSpans = this.#spans.with({ state: 'dropped' });
    this.#queue = new BatchQueue({
      send: (spans) => this.#sendSpans(spans),
      onLost: (spans) => this.#droppedSpans.add(spans.length),
      heldMax: queuedSpansMax,
      batchMax: spansPerExport,
      delay: options.spanDelayMs ?? spanDelayMs,
    });
    const { metricsIntervalMs } = options;
    if (metricsIntervalMs > 0) {
      this.#metricsTimer = setInterval(() => void this.exportMetrics(), metricsIntervalMs).unref();
    }
  }

  get metrics(): readonly Metric[] {
    return [this.#exports, this.#spans];
  }

  readonly addSpan = (span: Span): void => {
    if (this.#end.signal.aborted || !this.#queue.add(span)) this.#droppedSpans.add();
  };

  /** Resolves when the spans added so far are sent or dropped. */
  flushSpans(): Promise<void> {
    return this.#queue.flush();
  }

  /** Does nothing while the last export still runs. */
  exportMetrics(): Promise<void> {
    this.#sendingMetrics ??= this.#sendMetrics().finally(() => {
      this.#sendingMetrics = undefined;
    });
    return this.#sendingMetrics;
  }

  /** Sends the rest, for a limited time. */
  async close(): Promise<void> {
    clearInterval(this.#metricsTimer);
    const timer = setTimeout(() => this.#end.abort(), closeMs);
    await Promise.all([
      this.flushSpans(),
      this.#options.metricsIntervalMs > 0 ? this.exportMetrics() : undefined,
    ]);
    clearTimeout(timer);
    this.#end.abort();
    this.#connections[Symbol.dispose]();
  }

  async #sendSpans(batch: readonly Span[]): Promise<void> {
    const rejected = await this.#send('traces', encodeSpans(this.#options.resource, batch));
    const dropped = Math.min(batch.length, rejected ?? batch.length);
    this.#droppedSpans.add(dropped);
    this.#sentSpans.add(batch.length - dropped);
  }

  async #sendMetrics(): Promise<void> {
    const families = (await this.#options.metrics()).map((metric) => metric.read());
    const collected = { startMs: this.#startMs, nowMs: Date.now(), families };
    await this.#send('metrics', encodeMetrics(this.#options.resource, collected));
  }

  /** Returns how many items the collector rejected; undefined if the whole batch is lost. */
  async #send(signal: Signal, body: string): Promise<number | undefined> {
    const backOff = new BackOff({ ...retry, msMin: this.#options.retryMsMin ?? retry.msMin });
    for (let tries = 1; ; tries++) {
      try {
        const rejected = await this.#post(signal, body);
        this.#exports.with({ signal, state: 'sent' }).add();
        return rejected;
      } catch (error) {
        const isFinal = error instanceof RefusedExport && !error.isTemporary;
        if (isFinal || tries === triesMax || this.#end.signal.aborted) {
          this.#exports.with({ signal, state: 'failed' }).add();
          this.#complain(signal, error);
          return undefined;
        }
      }
      await delay(backOff.next(), undefined, { signal: this.#end.signal, ref: false }).catch(() => {});
    }
  }

  async #post(signal: Signal, body: string): Promise<number> {
    const { endpoint, headers } = this.#options;
    const answer = await sendRequest({
      url: `${endpoint}/v1/${signal}`,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      rules: operatorRules,
      connections: this.#connections,
      timeoutMs: exportTimeoutMs,
      bytesMax: responseBytesMax,
      signal: this.#end.signal,
    });
    if (answer.status < 200 || answer.status > 299) throw new RefusedExport(answer.status);
    return readRejected(answer.body.toString());
  }

  #complain(signal: Signal, error: unknown): void {
    const nowMs = Date.now();
    if (nowMs < this.#nextComplaintMs) return;
    this.#nextComplaintMs = nowMs + complaintMs;
    this.#options.onFailure(signal, error);
  }
}

class RefusedExport extends Error {
  override readonly name = 'RefusedExport';
  /** In OTLP's definition: the same batch may be accepted later. */
  readonly isTemporary: boolean;

  constructor(status: number) {
    super(`the collector answered with status ${status}`);
    this.isTemporary = [429, 502, 503, 504].includes(status);
  }
}

/** A collector that accepts part of a batch reports how much it rejected. */
function readRejected(text: string): number {
  try {
    const { partialSuccess } = JSON.parse(text) as { partialSuccess?: { rejectedSpans?: string | number } };
    const rejected = Number(partialSuccess?.rejectedSpans ?? 0);
    return Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0;
  } catch {
    return 0;
  }
}
