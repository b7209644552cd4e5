/**
 * How late timers are, over intervals of at least a minute. A reading covers the last complete interval, or the time
 * since the start before there is one: so the result does not depend on the readers and their number.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The used part of the result of `monitorEventLoopDelay`. */
interface DelayHistogram {
  /** In nanoseconds. */
  percentile(percent: number): number;
  reset(): void;
}

const resolutionMs = 20;
const spanMs = 60_000;
const quantiles = [
  ['0.5', 50],
  ['0.99', 99],
  ['1', 100],
] as const;

/** In seconds, by quantile. */
type Lag = readonly (readonly [quantile: string, seconds: number])[];

export class EventLoopLag {
  readonly #histogram: DelayHistogram;
  readonly #nowMs: () => number;
  #sinceMs: number;
  #last: Lag | undefined;

  constructor(histogram: DelayHistogram = startHistogram(), nowMs: () => number = () => performance.now()) {
    this.#histogram = histogram;
    this.#nowMs = nowMs;
    this.#sinceMs = nowMs();
  }

  read(): Lag {
    const nowMs = this.#nowMs();
    if (nowMs - this.#sinceMs < spanMs) return this.#last ?? this.#measure();
    this.#last = this.#measure();
    this.#sinceMs = nowMs;
    this.#histogram.reset();
    return this.#last;
  }

  #measure(): Lag {
    return quantiles.map(([quantile, percent]) => [
      quantile,
      // The histogram measures whole intervals, including the resolution.
      Math.max(0, this.#histogram.percentile(percent) / 1e9 - resolutionMs / 1e3),
    ]);
  }
}

function startHistogram(): DelayHistogram {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  return histogram;
}
