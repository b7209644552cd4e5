/**
 * The Logpush jobs of a program: applies the jobs of the API, passes them the records of this host, and reports their
 * state to the control plane, at most once a minute unless a job starts or stops failing.
 */
import { type Log, realClock } from '#base';
import { OriginRules, type OriginRulesOptions } from '#outbound';
import type { Control } from '#control';
import { type JobState, Logpush, type LogRecord } from '#logpush';
import { type Metric, Reading } from '#metrics';

export interface ProgramLogpushOptions {
  readonly data: string;
  readonly origins: OriginRulesOptions;
  readonly log: Log;
}

const reportMs = 60_000;
/** If a job starts or stops failing, that is reported soon, together with other changes until then. */
const reportSoonMs = 500;
const retryMs = 10_000;

export class ProgramLogpush {
  readonly metrics: readonly Metric[];
  readonly #options: ProgramLogpushOptions;
  readonly #logpush: Logpush;
  #control: Control | undefined;
  #reading: Promise<void> = Promise.resolve();
  #stop = (): void => {};
  #retry: NodeJS.Timeout | undefined;
  #telling: NodeJS.Timeout | undefined;
  /** The last report on each job. */
  readonly #told = new Map<number, Pick<JobState, 'dropped' | 'problem'>>();
  #isClosed = false;

  constructor(options: ProgramLogpushOptions) {
    this.#options = options;
    this.#logpush = new Logpush({
      directory: options.data,
      rules: new OriginRules(options.origins),
      clock: realClock,
      log: options.log,
      onAttempt: () => this.#reportLater(),
    });
    this.metrics = createMetrics(() => this.#logpush.states);
  }

  /** Resolves when the jobs are running. */
  async follow(control: Control): Promise<void> {
    this.#control = control;
    control.onRecorded((zoneId, events) => this.#logpush.pushEvents(zoneId, events));
    this.#stop = control.configurations.onChange((changed) => {
      if (changed === 'account') this.#read();
    });
    this.#read();
    await this.#reading;
  }

  readonly pushRequests = (zoneId: string, records: readonly LogRecord[]): void =>
    this.#logpush.pushRequests(zoneId, records);

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stop();
    clearTimeout(this.#retry);
    clearTimeout(this.#telling);
    await this.#reading;
    await this.#logpush.close();
    await this.#tell();
  }

  #read(): void {
    clearTimeout(this.#retry);
    this.#reading = this.#reading.then(async () => {
      if (this.#isClosed) return;
      try {
        const { jobs, unreadable } = await this.#control!.readLogpushJobs();
        await this.#logpush.update(jobs, unreadable);
      } catch (error) {
        this.#options.log.warn('could not read the Logpush jobs; trying again', { error });
        this.#retry = setTimeout(() => this.#read(), retryMs).unref();
      }
    });
  }

  #reportLater(): void {
    const isNews = this.#logpush.states.some(({ jobId, dropped, problem }) => {
      const told = this.#told.get(jobId);
      return told === undefined || told.dropped !== dropped || told.problem?.reason !== problem?.reason;
    });
    if (isNews && this.#telling !== undefined) {
      clearTimeout(this.#telling);
      this.#telling = undefined;
    }
    if (this.#isClosed || this.#telling !== undefined) return;
    this.#telling = setTimeout(
      () => {
        this.#telling = undefined;
        void this.#tell();
      },
      isNews ? reportSoonMs : reportMs,
    ).unref();
  }

  /** Failed reports are repeated with the next attempt. */
  async #tell(): Promise<void> {
    const { states } = this.#logpush;
    if (states.length === 0) return;
    try {
      await this.#control?.noteLogpushStates(states);
      for (const { jobId, dropped, problem } of states) this.#told.set(jobId, { dropped, problem });
    } catch (error) {
      this.#options.log.warn('could not report the state of Logpush to the control plane', { error });
    }
  }
}

function createMetrics(read: () => readonly JobState[]): readonly Metric[] {
  const list = (value: (state: JobState) => number) => () =>
    read().map((state) => [{ job: String(state.jobId) }, value(state)] as const);
  return [
    new Reading(
      'gatehouse_logpush_records_total',
      'Records of Logpush jobs delivered, and records dropped because the receiver was too slow.',
      () =>
        read().flatMap(({ jobId, sent, dropped }) => [
          [{ job: String(jobId), state: 'sent' }, sent] as const,
          [{ job: String(jobId), state: 'dropped' }, dropped] as const,
        ]),
      'counter',
    ),
    new Reading(
      'gatehouse_logpush_failures_total',
      'Batches that the receiver of a Logpush job did not accept, counting each attempt.',
      list(({ failures }) => failures),
      'counter',
    ),
    new Reading(
      'gatehouse_logpush_buffered_bytes',
      'Bytes waiting to be sent to the receiver of a Logpush job.',
      list(({ bufferedBytes }) => bufferedBytes),
    ),
  ];
}
