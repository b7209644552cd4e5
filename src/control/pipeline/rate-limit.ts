/**
 * How often somebody may call. A window opens with the first call and has room for so many; whoever goes over is refused for
 * a whole window from then on. Counts are in memory: after a restart everybody starts with an open window.
 */
import { rateLimitedMax } from '../context/limits.ts';

export interface RateLimitOptions {
  readonly requests: number;
  readonly windowMs: number;
}

/** The original's. */
export const defaultRateLimit: RateLimitOptions = { requests: 1200, windowMs: 5 * 60 * 1000 };

export interface Allowance {
  readonly isOver: boolean;
  readonly remaining: number;
  /** Whole seconds until there is room for all of it again. */
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
  /** The one that opened longest ago is first. */
  readonly #windows = new Map<string, Window>();

  /** The name is what clients are told in the headers. */
  constructor(name: string, options: RateLimitOptions) {
    this.#name = name;
    this.#options = options;
  }

  /** Counts one call. */
  take(who: string, nowMs: number): Allowance {
    const { requests, windowMs } = this.#options;
    const window = this.#window(who, nowMs);
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

  /** `Ratelimit` and `Ratelimit-Policy`, and `Retry-After` for whoever is over. */
  headersFor({ isOver, remaining, resetSeconds }: Allowance): Record<string, string> {
    const { requests, windowMs } = this.#options;
    return {
      ratelimit: `"${this.#name}";r=${remaining};t=${resetSeconds}`,
      'ratelimit-policy': `"${this.#name}";q=${requests};w=${Math.ceil(windowMs / 1000)}`,
      ...(isOver ? { 'retry-after': String(resetSeconds) } : {}),
    };
  }

  #window(who: string, nowMs: number): Window {
    const known = this.#windows.get(who);
    // A clock that was put back must not keep anybody out for longer.
    const isOpen =
      known !== undefined && nowMs < known.endMs && known.endMs <= nowMs + this.#options.windowMs;
    if (isOpen) return known;
    const window: Window = { endMs: nowMs + this.#options.windowMs, used: 0, isOver: false };
    this.#windows.delete(who);
    this.#windows.set(who, window);
    if (this.#windows.size > rateLimitedMax) this.#windows.delete(this.#windows.keys().next().value!);
    return window;
  }
}
