/**
 * The interface between judging and the counter of requests. Judging itself is pure: it reports which rule counts a
 * request and by which key, and learns whether the key is over its limit.
 */
import type { ResponseFacts } from '#request';
import type { RateLimit } from '#rulesets';

/** A request that a rule counts, or whose count a rule reads. */
export interface RateHit {
  readonly ruleId: string;
  /** The values of the characteristics: requests with equal keys are counted together. */
  readonly key: string;
  readonly limit: CountedLimit;
  readonly isCounted: boolean;
  /** Whether the rule acts on the request if its key is over the limit. */
  readonly isAsked: boolean;
  /** The weight of the request; 1 by default. */
  readonly weight?: number;
  /** All hosts count together; otherwise, each counts for itself. */
  readonly isOfAllHosts: boolean;
}

/** A limit as it is counted. */
export interface CountedLimit {
  readonly requests: number;
  readonly periodMs: number;
  /** How long every request of a key over the limit is acted on; 0 for only the requests beyond it. */
  readonly timeoutMs: number;
  /** Compares the sum of the origin's scores, not the number of requests. */
  readonly isScore?: boolean;
}

export interface RateReading {
  readonly isOver: boolean;
  /** Requests of the key in the last period, including this one if it counts. */
  readonly count: number;
  /** The time until a request of the key passes, in whole seconds. */
  readonly retryAfterSeconds: number;
}

export interface RateCounter {
  /** The id by which the edge recognises the visitor; undefined if the request contains none. */
  findVisitor(): string | undefined;
  /** Returns the same for a second call with the same rule: a request counts once. */
  take(hit: RateHit): RateReading;
  /** The request counts when its response is available, with the weight that `weigh` returns; 0 to not count it. */
  awaitResponse(hit: RateHit, weigh: (response: ResponseFacts) => number): void;
  /** The visitor has passed a challenge. */
  reset(hit: RateHit): void;
}

export function toCountedLimit({
  requests_per_period,
  score_per_period,
  period,
  mitigation_timeout = 0,
}: RateLimit): CountedLimit {
  return {
    requests: score_per_period ?? requests_per_period!,
    periodMs: period * 1_000,
    timeoutMs: mitigation_timeout * 1_000,
    ...(score_per_period === undefined ? {} : { isScore: true }),
  };
}

/** `12 of 10 requests in 60 s`, or `a score of 12 of 10 in 60 s`. */
export function describeRate({
  count,
  requests,
  periodMs,
  isScore = false,
}: CountedLimit & { readonly count: number }): string {
  const counted = isScore ? `a score of ${count} of ${requests}` : `${count} of ${requests} requests`;
  return `${counted} in ${periodMs / 1_000} s`;
}

/** Counts nothing: for requests that are rehearsed, explained or judged again. */
export const noCounter: RateCounter = {
  findVisitor: () => undefined,
  take: () => ({ isOver: false, count: 0, retryAfterSeconds: 0 }),
  awaitResponse() {},
  reset() {},
};
