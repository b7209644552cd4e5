/** A process with a Worker, as the program sees it: whether its code is loaded, and what it has counted. */
import type { ChildProcess } from '#processes';
import type { MetricData } from '#observability';
import { answerMsMax } from './limits.ts';
import type { FromWorkerProcess, QueueBatch, QueueOutcome, ToWorkerProcess } from './worker-messages.ts';

/** What a process says about code that it has loaded. */
export type LoadedCode = Omit<Extract<FromWorkerProcess, { kind: 'loaded' }>, 'kind'>;

export class ProcessLink {
  readonly #loaded = Promise.withResolvers<LoadedCode>();
  readonly #readings = new Map<number, () => void>();
  readonly #deliveries = new Map<number, (outcome: QueueOutcome | undefined) => void>();
  readonly #onCall: (text: string) => void;
  #child: ChildProcess | undefined;
  #families: readonly MetricData[] = [];
  #lastReading = 0;

  constructor(onCall: (text: string) => void = () => {}) {
    this.#onCall = onCall;
    this.#loaded.promise.catch(() => {});
  }

  attach(child: ChildProcess): void {
    this.#child = child;
    child.ready.catch((error: unknown) => this.#loaded.reject(error));
    void child.ended.then(() => {
      for (const resolve of this.#readings.values()) resolve();
      this.#readings.clear();
      for (const resolve of this.#deliveries.values()) resolve(undefined);
      this.#deliveries.clear();
    });
  }

  /** Resolves when its code is loaded; rejects with a `ChildEndedError`. */
  get loaded(): Promise<LoadedCode> {
    return this.#loaded.promise;
  }

  /** As it said last. */
  get families(): readonly MetricData[] {
    return this.#families;
  }

  readonly take = (body: unknown): void => {
    const message = body as FromWorkerProcess;
    if (message.kind === 'loaded') return this.#loaded.resolve(message);
    if (message.kind === 'call') return this.#onCall(message.text);
    if (message.kind === 'consumed') {
      this.#deliveries.get(message.id)?.(message.outcome);
      this.#deliveries.delete(message.id);
      return undefined;
    }
    this.#families = message.families;
    if (message.id === undefined) return undefined;
    this.#readings.get(message.id)?.();
    this.#readings.delete(message.id);
  };

  async readMetrics(): Promise<void> {
    if (this.#child?.isReady !== true) return;
    const id = ++this.#lastReading;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#readings.set(id, resolve);
    // Without an answer, what it said last has to do: a Worker that is held must not hold who reads.
    const late = setTimeout(() => this.take({ kind: 'metrics', id, families: this.#families }), answerMsMax);
    await this.send({ kind: 'read metrics', id });
    await promise;
    clearTimeout(late);
  }

  /** Undefined if the process has ended before it was done. */
  async deliver(batch: QueueBatch): Promise<QueueOutcome | undefined> {
    if (this.#child?.isReady !== true) return undefined;
    const id = ++this.#lastReading;
    const { promise, resolve } = Promise.withResolvers<QueueOutcome | undefined>();
    this.#deliveries.set(id, resolve);
    await this.send({ kind: 'consume', id, batch });
    return await promise;
  }

  async send(message: ToWorkerProcess): Promise<void> {
    await this.#child?.send(message);
  }
}
