/** A process with a Worker, as the program sees it: whether its code is loaded, and its counts. */
import {
  type ChildProcess,
  PendingCalls,
  ProtocolError,
  readAmount,
  readFields,
  readList,
  readText,
} from '#processes';
import { type MetricData, readFamilies } from '#metrics';
import { answerMsMax } from './limits.ts';
import type { FromWorkerProcess, QueueBatch, QueueOutcome, ToWorkerProcess } from './worker-messages.ts';

/** A process's report on the code that it has loaded. */
export type LoadedCode = Omit<Extract<FromWorkerProcess, { kind: 'loaded' }>, 'kind'>;

export class ProcessLink {
  readonly #loaded = Promise.withResolvers<LoadedCode>();
  readonly #readings = new PendingCalls<void>();
  readonly #deliveries = new PendingCalls<QueueOutcome | undefined>();
  readonly #name: string;
  readonly #onCall: (text: string) => void;
  #child: ChildProcess | undefined;
  #families: readonly MetricData[] = [];

  /** `name` is that of the Worker: counts of other Workers are refused. */
  constructor(name: string, onCall: (text: string) => void = () => {}) {
    this.#name = name;
    this.#onCall = onCall;
    this.#loaded.promise.catch(() => {});
  }

  attach(child: ChildProcess): void {
    this.#child = child;
    child.ready.catch((error: unknown) => this.#loaded.reject(error));
    void child.ended.then(() => {
      this.#readings.answerAll();
      this.#deliveries.answerAll(undefined);
    });
  }

  /** Resolves when its code is loaded; rejects with a `ChildEndedError`. */
  get loaded(): Promise<LoadedCode> {
    return this.#loaded.promise;
  }

  /** The counts of its last report. */
  get families(): readonly MetricData[] {
    return this.#families;
  }

  /** Throws a `ProtocolError`, or the error of a reader, if the message is invalid. */
  readonly take = (body: unknown): void => {
    const { kind, ...fields } = readFields(body, 'what a Worker sends');
    switch (kind) {
      case 'loaded':
        return this.#loaded.resolve(readLoaded(fields));
      case 'call':
        return this.#onCall(readText(fields['text'], 'a recorded call', Infinity));
      case 'consumed': {
        const id = readAmount(fields['id'], 'the number of a batch');
        const { outcome } = fields;
        return this.#deliveries.answer(id, outcome === undefined ? undefined : readOutcome(outcome));
      }
      case 'metrics':
        return this.#takeMetrics(fields);
      default:
        throw new ProtocolError('a message has a kind that no Worker sends');
    }
  };

  #takeMetrics({ id, families }: Readonly<Record<string, unknown>>): void {
    const read = readFamilies(families);
    for (const { name, points } of read)
      if (
        !name.startsWith('gatehouse_worker_') ||
        points.some(({ labels }) => labels['worker'] !== this.#name)
      )
        throw new ProtocolError(`a metric is not one of Worker ${this.#name}`);
    this.#families = read;
    if (id !== undefined) this.#readings.answer(readAmount(id, 'the number of a question'));
  }

  async readMetrics(): Promise<void> {
    if (this.#child?.isReady !== true) return;
    let late: NodeJS.Timeout | undefined;
    await this.#readings.call((id) => {
      // Without an answer, the last report must suffice: a blocked Worker must not block the caller.
      late = setTimeout(() => this.#readings.answer(id), answerMsMax);
      void this.send({ kind: 'read metrics', id });
    });
    clearTimeout(late);
  }

  /** Undefined if the process ended before it was done. */
  async deliver(batch: QueueBatch): Promise<QueueOutcome | undefined> {
    if (this.#child?.isReady !== true) return undefined;
    return await this.#deliveries.call((id) => void this.send({ kind: 'consume', id, batch }));
  }

  async send(message: ToWorkerProcess): Promise<void> {
    await this.#child?.send(message);
  }
}

const namesMax = 10_000;
const nameCharactersMax = 1_000;

function readNames(value: unknown, what: string): readonly string[] {
  return readList(value, what, namesMax).map((name) => readText(name, what, nameCharactersMax));
}

function readLoaded({ digest, exports }: Readonly<Record<string, unknown>>): LoadedCode {
  const { handlers, classes } = readFields(exports, 'the exports of a Worker');
  return {
    digest: digest === undefined ? undefined : readText(digest, 'the digest of a version', nameCharactersMax),
    exports: {
      handlers: readNames(handlers, 'the handlers of a Worker'),
      classes: readNames(classes, 'the classes of a Worker'),
    },
  };
}

function readOutcome(value: unknown): QueueOutcome {
  const { acknowledged, retried } = readFields(value, 'the outcome of a batch');
  return {
    acknowledged: readNames(acknowledged, 'the messages that were taken'),
    retried: readList(retried, 'the messages to deliver again', namesMax).map((each) => {
      const { id, delaySeconds } = readFields(each, 'a message to deliver again');
      return {
        id: readText(id, 'the id of a message', nameCharactersMax),
        delaySeconds: delaySeconds === undefined ? undefined : readAmount(delaySeconds, 'a delay'),
      };
    }),
  };
}
