/**
 * What judging asks of whoever counts requests. Judging itself is pure: it says which rule counts a request, by which key,
 * and hears whether the key is over its limit.
 */
import type { ResponseFacts } from '#request';
import type { RateLimit } from '../../model.ts';

/** A request that a rule counts, or asks about. */
export interface RateHit {
  readonly ruleId: string;
  /** What the request has of each characteristic: requests of equal keys are counted together. */
  readonly key: string;
  readonly limit: CountedLimit;
  readonly isCounted: boolean;
  /** Whether the rule acts on the request if its key is over the limit. */
  readonly isAsked: boolean;
  /** How much the request counts, if not once. */
  readonly weight?: number;
  /** All hosts count together; otherwise, each counts for itself. */
  readonly isOfAllHosts: boolean;
}

/** A limit as it is counted. */
export interface CountedLimit {
  readonly requests: number;
  readonly periodMs: number;
  /** How long every request of a key is acted on that went over the limit; 0: only those beyond it. */
  readonly timeoutMs: number;
  /** The sum of scores is compared that the origin gives, not the number of requests. */
  readonly isScore?: boolean;
}

export interface RateReading {
  readonly isOver: boolean;
  /** Requests of the key in a period until now, this one included if it counts. */
  readonly count: number;
  /** Until a request of the key would pass, in whole seconds. */
  readonly retryAfterSeconds: number;
}

export interface RateCounter {
  /** The id by which the edge knows the visitor again; undefined if it has brought none. */
  findVisitor(): string | undefined;
  /** Says the same again for a rule that it was asked about before: a request counts once. */
  take(hit: RateHit): RateReading;
  /** The request counts when its response is there: as much as `weigh` says of it, 0 for not at all. */
  awaitResponse(hit: RateHit, weigh: (response: ResponseFacts) => number): void;
  /** Somebody has proven to be a person. */
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

/** Nothing is counted: requests that are rehearsed, explained or judged again. */
export const noCounter: RateCounter = {
  findVisitor: () => undefined,
  take: () => ({ isOver: false, count: 0, retryAfterSeconds: 0 }),
  awaitResponse() {},
  reset() {},
};
