/** Traces and metrics for an OpenTelemetry collector, depending on the settings. */
import { randomUUID } from 'node:crypto';
import type { Log } from '#base';
import type { Metric, ReadMetrics } from '#metrics';
import { OtlpExporter } from './otlp-exporter.ts';
import { Tracer } from './tracer.ts';

/** The program's settings that affect it. */
interface TelemetrySettings {
  readonly otlpEndpoint: string | undefined;
  readonly otlpHeaders: string | undefined;
  readonly otlpServiceName: string;
  readonly otlpTraceSample: number;
  readonly otlpMetricsInterval: number;
  readonly trustedProxies: readonly string[];
}

export interface TelemetryOptions {
  readonly settings: TelemetrySettings;
  readonly log: Log;
  readonly version: string;
  readonly metrics: ReadMetrics;
}

export class Telemetry {
  readonly tracer: Tracer;
  readonly #exporter: OtlpExporter;

  private constructor(exporter: OtlpExporter, tracer: Tracer) {
    this.#exporter = exporter;
    this.tracer = tracer;
  }

  /** Undefined without a collector. */
  static start({ settings, log, version, metrics }: TelemetryOptions): Telemetry | undefined {
    const { otlpEndpoint: endpoint, otlpServiceName: serviceName, otlpTraceSample: sample } = settings;
    if (endpoint === undefined) return undefined;
    const exporter = new OtlpExporter({
      endpoint,
      headers: readHeaders(settings.otlpHeaders),
      resource: { serviceName, version, instanceId: randomUUID() },
      metrics,
      metricsIntervalMs: settings.otlpMetricsInterval,
      onFailure: (signal, error) =>
        log.warn('could not send to the OpenTelemetry collector; requests are not affected', {
          signal,
          setting: 'otlp_endpoint',
          error,
        }),
    });
    const { trustedProxies } = settings;
    const tracer = new Tracer({ sample, trustedNetworks: trustedProxies, onSpan: exporter.addSpan });
    return new Telemetry(exporter, tracer);
  }

  get metrics(): readonly Metric[] {
    return this.#exporter.metrics;
  }

  close(): Promise<void> {
    return this.#exporter.close();
  }
}

/** The setting is validated: each item is `name=value`. */
function readHeaders(written: string | undefined): Readonly<Record<string, string>> {
  const items = written?.split(',').map((item) => item.trim()) ?? [];
  return Object.fromEntries(items.map((item) => item.split(/=(.*)/s, 2)));
}
