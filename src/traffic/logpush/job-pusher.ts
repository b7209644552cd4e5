/**
 * A running job: accepts records, stores the wanted ones in its buffer, and delivers them in batches. Accepting a
 * record never waits. Delivery to an unavailable receiver is retried with growing pauses, while the buffer fills;
 * records beyond its size are dropped, the oldest first. Their number is counted, and reported in the stream as a
 * separate line before the next records.
 */
import { BackOff, BatchQueue, type Clock, type Timer } from '#base';
import type { LogRecord } from './datasets.ts';
import { compileFormat, writeTime } from './format-record.ts';
import { attemptMsMax, closeMs, gatherMs, recordBytesMax, retry, unwrittenBytesMax } from './limits.ts';
import type { LogpushJob } from './logpush-job.ts';
import { parseRecordFilter, type RecordFilter } from './record-filter.ts';
import type { Sink } from './sinks/sink.ts';
import type { Spool, SpooledLines } from './spool.ts';

export interface JobState {
  readonly jobId: number;
  readonly sent: number;
  readonly dropped: number;
  readonly failures: number;
  readonly bufferedBytes: number;
  readonly bufferedRecords: number;
  /** The time of the last delivered batch. */
  readonly deliveredAtMs: number | undefined;
  /** The last failure; undefined since the last delivered batch. */
  readonly problem: { readonly atMs: number; readonly reason: string } | undefined;
}

interface PusherParts {
  readonly job: LogpushJob;
  readonly spool: Spool;
  readonly sink: Sink;
  readonly clock: Clock;
  /** Returns the text before each line. */
  readonly writePrefix: (atMs: number) => string;
  /** Called after each delivery attempt. */
  readonly onAttempt: () => void;
}

export class JobPusher {
  readonly #parts: PusherParts;
  readonly #isWanted: RecordFilter;
  readonly #format: (record: LogRecord) => string;
  readonly #queue: BatchQueue<string>;
  readonly #backOff = new BackOff(retry);
  readonly #end = new AbortController();
  #timer: Timer | undefined;
  #isFailing = false;
  #pushing: Promise<void> | undefined;
  #sent = 0;
  #failures = 0;
  #deliveredAtMs: number | undefined;
  #problem: JobState['problem'];

  constructor(parts: PusherParts) {
    this.#parts = parts;
    const { job, spool, clock } = parts;
    const filter = parseRecordFilter(job.filter, job.dataset);
    // The filter was checked when the job was set: if it cannot be parsed now, push nothing rather than everything.
    this.#isWanted = filter.ok ? filter.isWanted : () => false;
    if (!filter.ok) this.#problem = { atMs: clock.now(), reason: `filter: ${filter.reason}` };
    this.#format = compileFormat(job);
    this.#queue = new BatchQueue({
      send: async (lines) => {
        await spool.append(Buffer.from(`${lines.join('\n')}\n`), lines.length);
        this.#schedule();
      },
      onLost: (lines, error) => {
        spool.countDropped(lines.length);
        this.#problem = { atMs: clock.now(), reason: `the buffer: ${(error as Error).message}` };
        parts.onAttempt();
      },
      weigh: (line) => line.length,
      heldMax: unwrittenBytesMax,
      delay: gatherMs,
      clock,
    });
    if (spool.waitingBytes > 0) this.#wait(0);
  }

  get state(): JobState {
    const { job, spool } = this.#parts;
    return {
      jobId: job.id,
      sent: this.#sent,
      dropped: spool.dropped,
      failures: this.#failures,
      bufferedBytes: spool.waitingBytes + this.#queue.held,
      bufferedRecords: spool.waitingRecords,
      deliveredAtMs: this.#deliveredAtMs,
      problem: this.#problem,
    };
  }

  add(records: readonly LogRecord[]): void {
    const { job, spool, writePrefix } = this.#parts;
    for (const record of records) {
      if (!this.#isWanted(record) || (job.sampleRate < 1 && Math.random() >= job.sampleRate)) continue;
      const atMs = Number(record['Datetime'] ?? record['EdgeEndTimestamp']);
      const line = writePrefix(atMs) + this.#format(record);
      if (line.length > recordBytesMax || !this.#queue.add(line)) spool.countDropped(1);
    }
  }

  /** Delivers the buffered lines if that is possible at once; the rest stays in the buffer. */
  async close(): Promise<void> {
    const { clock, spool, sink } = this.#parts;
    await this.#queue.close(closeMs);
    this.#timer?.cancel();
    const timer = clock.setTimer(clock.now() + closeMs, () => this.#end.abort());
    await this.#pushing;
    if (!this.#isFailing && !this.#end.signal.aborted) await this.#pushOnce();
    timer.cancel();
    this.#end.abort();
    this.#timer?.cancel();
    await sink.close();
    await spool.close();
  }

  #schedule(): void {
    if (this.#pushing !== undefined || this.#isFailing || this.#end.signal.aborted) return;
    const { job, spool } = this.#parts;
    const isEnough = spool.waitingBytes >= job.bytesMax || spool.waitingRecords >= job.recordsMax;
    if (isEnough) this.#push();
    else if (this.#timer === undefined && spool.waitingBytes > 0) this.#wait(job.intervalMs);
  }

  #wait(ms: number): void {
    const { clock } = this.#parts;
    this.#timer = clock.setTimer(clock.now() + ms, () => this.#push(), 'housekeeping');
  }

  #push(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#pushing ??= this.#pushOnce().finally(() => {
      this.#pushing = undefined;
      if (this.#end.signal.aborted) return;
      if (this.#isFailing) this.#wait(this.#backOff.next());
      else this.#schedule();
    });
  }

  /** Never rejects. */
  async #pushOnce(): Promise<void> {
    const { job, spool, sink, clock, onAttempt } = this.#parts;
    try {
      const lines = await spool.read({ bytes: job.bytesMax, records: job.recordsMax });
      if (lines === undefined) return;
      const id = `${job.id}-${lines.id}`;
      const attempt = AbortSignal.any([this.#end.signal, AbortSignal.timeout(attemptMsMax)]);
      await sink.send({ id, lines: this.#markDropped(lines) }, attempt);
      await spool.advance(lines);
      this.#sent += lines.records;
      this.#deliveredAtMs = clock.now();
      this.#problem = undefined;
      this.#isFailing = false;
      this.#backOff.reset();
    } catch (error) {
      // A stopping program is not a failure.
      if (this.#end.signal.aborted) return;
      this.#failures++;
      this.#isFailing = true;
      this.#problem = { atMs: clock.now(), reason: (error as Error).message };
    }
    onAttempt();
  }

  #markDropped({ bytes, droppedBefore }: SpooledLines): Buffer {
    if (droppedBefore === 0) return bytes;
    const { job, clock, writePrefix } = this.#parts;
    const time = writeTime(clock.now(), job.timestamps);
    const mark = `{"Gatehouse":"records were dropped","Dataset":"${job.dataset}","DroppedRecords":${droppedBefore},"Datetime":${time}}`;
    return Buffer.concat([Buffer.from(`${writePrefix(clock.now())}${mark}\n`), bytes]);
  }
}
