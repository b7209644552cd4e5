/**
 * Counts the requests of an edge by zone, and reports the counts every few seconds. A batch that could not be delivered
 * is sent again unchanged, under its name, so that nothing is counted twice; later counts wait in the tally, which is
 * bounded. Counting never delays a request.
 */
import { randomUUID } from 'node:crypto';
import { TrafficTally } from '#events';
import { clientGoneStatus, noAnswerStatus, type RequestRecord } from '#edge';
import type { TrafficBatch } from './edge-reports.ts';
import { RefusedError } from './remote-control.ts';

interface TrafficReporterOptions {
  /** Resolves when the batch is counted. */
  readonly send: (batch: TrafficBatch) => Promise<void> | void;
  /** Called when a batch could not be delivered, for the first of consecutive failures. */
  readonly onError: (error: unknown) => void;
}

const reportMs = 10_000;

/** Rows of one batch; the API accepts as many. */
const batchRowsMax = 1_000;

/** The edge's answers if the origin does not answer. */
const originFailures: ReadonlySet<string> = new Set([
  'origin_unresolved',
  'origin_unreachable',
  'origin_tls',
  'origin_closed',
  'origin_connect_timeout',
  'origin_timeout',
]);

const statusesWithoutAnswer = new Set([clientGoneStatus, noAnswerStatus]);

export class TrafficReporter {
  readonly #options: TrafficReporterOptions;
  readonly #tally = new TrafficTally();
  readonly #name = randomUUID();
  readonly #timer: NodeJS.Timeout;
  /** Undelivered batches, oldest first. */
  #waiting: TrafficBatch[] = [];
  #batches = 0;
  #isFailing = false;
  #reporting: Promise<void> | undefined;

  constructor(options: TrafficReporterOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.report(), reportMs);
    this.#timer.unref();
  }

  count(record: RequestRecord): void {
    const { zone, verdict, outcome } = record;
    if (zone === undefined || verdict === 'refused') return;
    this.#tally.count({
      zoneId: zone.id,
      endedAtMs: record.receivedAtMs + record.endMs,
      verdict,
      status: statusesWithoutAnswer.has(outcome.edgeStatus) ? undefined : outcome.edgeStatus,
      hasEvents: record.hasEvents,
      hasOriginFailed: outcome.refusal !== undefined && originFailures.has(outcome.refusal),
      receivedBytes: record.receivedBytes,
      sentBytes: record.sentBytes,
    });
  }

  /** Delivers the counts so far, if that is possible now. Never rejects. */
  report(): Promise<void> {
    this.#reporting ??= this.#report().finally(() => (this.#reporting = undefined));
    return this.#reporting;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#reporting;
    await this.report();
  }

  async #report(): Promise<void> {
    if (this.#waiting.length === 0) this.#waiting = this.#takeBatches();
    while (this.#waiting.length > 0) {
      try {
        await this.#options.send(this.#waiting[0]!);
        this.#isFailing = false;
      } catch (error) {
        if (!this.#isFailing) this.#options.onError(error);
        this.#isFailing = true;
        // A refused batch would be refused again.
        if (!(error instanceof RefusedError)) return;
      }
      this.#waiting.shift();
    }
  }

  #takeBatches(): TrafficBatch[] {
    const rows = this.#tally.take();
    const batches: TrafficBatch[] = [];
    for (let at = 0; at < rows.length; at += batchRowsMax) {
      batches.push({ name: `${this.#name}-${this.#batches++}`, rows: rows.slice(at, at + batchRowsMax) });
    }
    return batches;
  }
}
