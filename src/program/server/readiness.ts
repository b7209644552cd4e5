/**
 * Whether requests can be served: the program is running and not about to stop, and its store answers and accepts
 * writes.
 */
import { describeDiskRefusal, diskRefusalOf } from '#files';
import { probeFreshMs, probeTimeoutMs } from './limits.ts';

export type ProgramState = 'starting' | 'running' | 'stopping';

export type Readiness = { readonly ready: true } | { readonly ready: false; readonly reason: string };

export class ReadinessCheck {
  readonly #probe: () => Promise<void>;
  readonly #onFailure: (problem: string, error: unknown) => void;
  readonly #timeoutMs: number;
  readonly #freshMs: number;
  #latest: { readonly atMs: number; readonly result: Promise<Readiness> } | undefined;
  phase: ProgramState = 'starting';

  constructor({
    probe,
    onFailure,
    timeoutMs = probeTimeoutMs,
    freshMs = probeFreshMs,
  }: {
    readonly probe: () => Promise<void>;
    readonly onFailure: (problem: string, error: unknown) => void;
    /** Shorter in tests. */
    readonly timeoutMs?: number;
    readonly freshMs?: number;
  }) {
    this.#probe = probe;
    this.#onFailure = onFailure;
    this.#timeoutMs = timeoutMs;
    this.#freshMs = freshMs;
  }

  check(): Promise<Readiness> {
    if (this.phase !== 'running') return Promise.resolve({ ready: false, reason: this.phase });
    const nowMs = performance.now();
    if (this.#latest === undefined || nowMs - this.#latest.atMs > this.#freshMs) {
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
      const refusal = diskRefusalOf(error);
      const problem =
        refusal === undefined
          ? 'the store does not answer'
          : `${describeDiskRefusal(refusal)}: changes cannot be stored`;
      this.#onFailure(problem, error);
      return { ready: false, reason: problem };
    } finally {
      clearTimeout(timer);
    }
  }
}
