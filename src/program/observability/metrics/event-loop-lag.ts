/**
 * How late timers are, by spans of a minute at least. A reading is of the last whole span, and of the time since the start
 * before there is one: so it does not matter who reads it, nor how many do.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** A part of what `monitorEventLoopDelay` returns. */
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
