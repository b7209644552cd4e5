/**
 * Checks the origins of pools for the edge processes of a program. The code for that is the edge's, which this process
 * does not load until there is a load balancer.
 */
import type { FeedSource } from '#control';
import type { HealthBoard, HealthBoardOptions, OriginState } from '#edge';
import type { Metric } from '#metrics';
import { createHealthMetric } from '#observability';

export class OriginWatch implements Disposable {
  readonly metric: Metric;
  readonly #options: HealthBoardOptions;
  #board: HealthBoard | undefined;
  #reading: Promise<void> = Promise.resolve();
  #version: number | undefined;
  #isClosed = false;

  constructor(options: HealthBoardOptions) {
    this.#options = options;
    this.metric = createHealthMetric(() => this.#board?.reports ?? []);
  }

  get states(): readonly OriginState[] {
    return this.#board?.states ?? [];
  }

  mark(state: OriginState): void {
    this.#board?.mark(state);
  }

  /** Keeps in step with the load balancers of the source until the signal. */
  follow(source: FeedSource, signal: AbortSignal): void {
    const read = (): void => {
      this.#reading = this.#reading
        .then(() => this.#read(source))
        .catch((error: unknown) => {
          this.#options.log.warn('could not read the load balancers; trying again with their next change', {
            error,
          });
        });
    };
    const stop = source.onChange((changed) => {
      if (changed === 'account') read();
    });
    signal.addEventListener('abort', stop, { once: true });
    read();
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#board?.[Symbol.dispose]();
  }

  async #read(source: FeedSource): Promise<void> {
    const account = await source.readAccount(this.#version);
    if (account === undefined || this.#isClosed) return;
    const { version, loadBalancers = [] } = account;
    if (this.#board === undefined && loadBalancers.length > 0) {
      const edge = await import('#edge');
      if (this.#isClosed) return;
      this.#board = new edge.HealthBoard(this.#options);
    }
    this.#version = version;
    this.#board?.update(loadBalancers);
  }
}
