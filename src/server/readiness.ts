/** Whether requests can be served: the program has started and is not about to stop, and its store answers. */
import { probeFreshMs, probeTimeoutMs } from './limits.ts';

export type Phase = 'starting' | 'running' | 'stopping';

export type Readiness = { readonly ready: true } | { readonly ready: false; readonly reason: string };

export class ReadinessCheck {
  readonly #probe: () => Promise<void>;
  readonly #onFailure: (error: unknown) => void;
  readonly #timeoutMs: number;
  #latest: { readonly atMs: number; readonly result: Promise<Readiness> } | undefined;
  phase: Phase = 'starting';

  constructor({
    probe,
    onFailure,
    timeoutMs = probeTimeoutMs,
  }: {
    readonly probe: () => Promise<void>;
    readonly onFailure: (error: unknown) => void;
    /** Tests wait less. */
    readonly timeoutMs?: number;
  }) {
    this.#probe = probe;
    this.#onFailure = onFailure;
    this.#timeoutMs = timeoutMs;
  }

  check(): Promise<Readiness> {
    if (this.phase !== 'running') return Promise.resolve({ ready: false, reason: this.phase });
    const nowMs = performance.now();
    if (this.#latest === undefined || nowMs - this.#latest.atMs > probeFreshMs) {
      this.#latest = { atMs: nowMs, result: this.#ask() };
    }
    return this.#latest.result;
  }

  async #ask(): Promise<Readiness> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error('the store does not answer in time')), this.#timeoutMs);
    try {
      await Promise.race([this.#probe(), late]);
      return { ready: true };
    } catch (error) {
      this.#onFailure(error);
      return { ready: false, reason: 'the store does not answer' };
    } finally {
      clearTimeout(timer);
    }
  }
}
