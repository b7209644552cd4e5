/**
 * A rate limit. A window opens with the first call and allows a number of calls; a caller who exceeds it is refused for
 * a whole window from then on. Counts are kept in memory: after a restart, all callers start with a fresh window.
 */
import { RecentMap } from '#base';
import { rateLimitedMax } from '../../context/limits.ts';

export interface RateLimitOptions {
  readonly requests: number;
  readonly windowMs: number;
}

export interface ApiRateLimitOptions extends RateLimitOptions {
  /** The limit for calls that may be GraphQL queries: one of them can read as much of the log as many other calls. */
  readonly graphqlRequests: number;
}

/** Cloudflare's limits. */
export const defaultRateLimit: ApiRateLimitOptions = {
  requests: 1200,
  graphqlRequests: 300,
  windowMs: 5 * 60 * 1000,
};

export interface Allowance {
  readonly isOver: boolean;
  readonly remaining: number;
  /** Whole seconds until the window is empty again. */
  readonly resetSeconds: number;
}

interface Window {
  endMs: number;
  used: number;
  isOver: boolean;
}

export class RateLimit {
  readonly #name: string;
  readonly #options: RateLimitOptions;
  /** The oldest window comes first. */
  readonly #windows = new RecentMap<string, Window>({ sizeMax: rateLimitedMax });

  /** `name` identifies the limit in the response headers. */
  constructor(name: string, options: RateLimitOptions) {
    this.#name = name;
    this.#options = options;
  }

  /** Counts one call. */
  take(who: string, nowMs: number): Allowance {
    const { requests, windowMs } = this.#options;
    const window = this.#openWindow(who, nowMs);
    window.used++;
    if (window.used > requests && !window.isOver) {
      window.isOver = true;
      window.endMs = nowMs + windowMs;
    }
    return {
      isOver: window.isOver,
      remaining: Math.max(0, requests - window.used),
      resetSeconds: Math.ceil((window.endMs - nowMs) / 1000),
    };
  }

  /** The allowance of the next call, without counting one. */
  read(who: string, nowMs: number): Allowance {
    const { requests } = this.#options;
    const known = this.#windows.peek(who);
    if (known === undefined || !this.#isOpen(known, nowMs))
      return { isOver: requests === 0, remaining: requests, resetSeconds: 0 };
    return {
      isOver: known.used >= requests,
      remaining: Math.max(0, requests - known.used),
      resetSeconds: Math.ceil((known.endMs - nowMs) / 1000),
    };
  }

  /** `Ratelimit` and `Ratelimit-Policy`, and `Retry-After` for a caller over the limit. */
  createHeaders({ isOver, remaining, resetSeconds }: Allowance): Record<string, string> {
    const { requests, windowMs } = this.#options;
    return {
      ratelimit: `"${this.#name}";r=${remaining};t=${resetSeconds}`,
      'ratelimit-policy': `"${this.#name}";q=${requests};w=${Math.ceil(windowMs / 1000)}`,
      ...(isOver ? { 'retry-after': String(resetSeconds) } : {}),
    };
  }

  #openWindow(who: string, nowMs: number): Window {
    const known = this.#windows.peek(who);
    if (known !== undefined && this.#isOpen(known, nowMs)) return known;
    const window: Window = { endMs: nowMs + this.#options.windowMs, used: 0, isOver: false };
    return this.#windows.set(who, window);
  }

  /** Setting the clock back must not extend a refusal. */
  #isOpen({ endMs }: Window, nowMs: number): boolean {
    return nowMs < endMs && endMs <= nowMs + this.#options.windowMs;
  }
}
