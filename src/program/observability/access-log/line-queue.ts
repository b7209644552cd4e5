/**
 * A queue of lines for a sink that may be slow or broken. `add` never waits: lines are collected and written together,
 * one write at a time. What does not fit in the queue is dropped. Every line is counted as written or dropped, and
 * drops are reported at most once a minute.
 */
import { BatchQueue } from '#base';
import { closeMs, batchBytes, complaintMs, flushMs, queuedBytesMax, retryMs } from './limits.ts';
import type { LineSink } from './line-sink.ts';
import { SerialSink } from './serial-sink.ts';

export interface LineQueueOptions {
  readonly sink: LineSink;
  /** Called with the number of lines dropped since the last call. */
  readonly onDropped: (lines: number, error: unknown) => void;
  readonly bytesMax?: number;
}

export interface LineCounts {
  readonly written: number;
  readonly dropped: number;
  readonly queuedBytes: number;
}

export class LineQueue {
  readonly #sink: SerialSink;
  readonly #onDropped: LineQueueOptions['onDropped'];
  readonly #lines: BatchQueue<string>;
  #written = 0;
  #dropped = 0;
  #reported = 0;
  #nextReportMs = 0;
  #lastError: unknown;

  constructor({ sink, onDropped, bytesMax = queuedBytesMax }: LineQueueOptions) {
    this.#sink = new SerialSink(sink);
    this.#onDropped = onDropped;
    this.#lines = new BatchQueue({
      send: (lines) => this.#write(lines),
      onLost: (lines, error) => this.#drop(lines.length, error),
      weigh: ({ length }) => length,
      heldMax: bytesMax,
      enough: batchBytes,
      delay: flushMs,
      pauseMs: retryMs,
    });
  }

  get counts(): LineCounts {
    return { written: this.#written, dropped: this.#dropped, queuedBytes: this.#lines.held };
  }

  /** A line is ASCII and ends with a line feed. */
  add(line: string): void {
    if (!this.#lines.add(line)) this.#drop(1, undefined);
  }

  reopen(): void {
    this.#sink.reopen();
  }

  /** Resolves when everything added so far is written or dropped. */
  async flush(): Promise<void> {
    await this.#lines.flush();
    await this.#sink.settle();
  }

  /** Stops waiting after a while: a reader that has stopped must not keep the program from stopping. */
  async close(): Promise<void> {
    if (await this.#lines.close(closeMs)) await this.#sink.close();
  }

  async #write(lines: readonly string[]): Promise<void> {
    await this.#sink.write(Buffer.from(lines.join(''), 'latin1'));
    this.#written += lines.length;
  }

  /** `error` is the reason why they could not be written; undefined if the queue was full. */
  #drop(lines: number, error: unknown): void {
    this.#dropped += lines;
    this.#lastError = error ?? this.#lastError;
    const nowMs = Date.now();
    if (nowMs < this.#nextReportMs) return;
    this.#nextReportMs = nowMs + complaintMs;
    this.#onDropped(this.#dropped - this.#reported, this.#lastError);
    this.#reported = this.#dropped;
    this.#lastError = undefined;
  }
}
