/**
 * Metrics of the API. Labels are operation ids, methods and status classes: the number of series depends on the route
 * table, not on what clients send.
 */
import { authCodes, genericCodes, type OperationId, operations } from '#contract';
import type { Distribution } from '#base';
import { Count, Counter, Histogram, type Metric, Reading } from '#metrics';

/** Reads take well under a millisecond; a write waits for the disk. */
const durationBoundsSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

const { notPermitted: _notPermitted, tooManyRequests: _tooMany, ...credentialCodes } = authCodes;
const credentialFailures: ReadonlySet<number> = new Set(
  Object.values(credentialCodes).map(({ code }) => code),
);

interface Series {
  /** By status class: [1] is 1xx. */
  readonly counts: readonly Count[];
  readonly durations: Distribution;
}

/** One response, as reported by the control plane. */
interface ReportedResponse {
  readonly operation: OperationId | undefined;
  readonly status: number;
  readonly durationMs: number;
  readonly refusal: number | undefined;
}

export class ApiMetrics {
  readonly metrics: readonly Metric[];
  readonly #requests = new Counter(
    'gatehouse_api_requests_total',
    'Requests by operation and class of status.',
  );
  readonly #durations = new Histogram(
    'gatehouse_api_request_duration_seconds',
    'Time from the headers of a request to its response.',
    durationBoundsSeconds,
  );
  readonly #rateLimited: Count;
  readonly #authFailures: Count;
  readonly #compileRefusals: Count;
  readonly #series = new Map<OperationId | undefined, Series>();

  constructor({ inFlight }: { readonly inFlight: () => number }) {
    const rateLimited = new Counter(
      'gatehouse_api_rate_limited_total',
      'Requests refused by the rate limit.',
    );
    const authFailures = new Counter(
      'gatehouse_api_auth_failures_total',
      'Requests without valid credentials.',
    );
    const compileRefusals = new Counter(
      'gatehouse_api_compile_refusals_total',
      'Calls refused because their regular expressions take too long to compile.',
    );
    this.#compileRefusals = compileRefusals.with();
    this.#rateLimited = rateLimited.with();
    this.#authFailures = authFailures.with();
    this.metrics = [
      this.#requests,
      this.#durations,
      rateLimited,
      authFailures,
      compileRefusals,
      new Reading('gatehouse_api_requests_in_flight', 'Requests in progress.', inFlight),
    ];
  }

  readonly count = ({ operation, status, durationMs, refusal }: ReportedResponse): void => {
    const { counts, durations } = this.#getSeries(operation);
    counts[Math.floor(status / 100)]?.add();
    durations.observe(durationMs / 1_000);
    if (status === authCodes.tooManyRequests.status) this.#rateLimited.add();
    else if (refusal !== undefined && credentialFailures.has(refusal)) this.#authFailures.add();
    else if (refusal === genericCodes.rulesTooCostly.code) this.#compileRefusals.add();
  };

  #getSeries(operation: OperationId | undefined): Series {
    let series = this.#series.get(operation);
    if (series === undefined) {
      const name = operation ?? 'none';
      const method = operation === undefined ? 'any' : operations[operation].method;
      series = {
        counts: [0, 1, 2, 3, 4, 5].map((status) =>
          status < 2 ? new Count() : this.#requests.with({ operation: name, method, status: `${status}xx` }),
        ),
        durations: this.#durations.with({ operation: name }),
      };
      this.#series.set(operation, series);
    }
    return series;
  }
}
