/**
 * Lines on their way to a sink that may be slow or broken. `add` never waits: lines are collected and written together, one
 * write at a time. What does not fit in the queue is dropped. Every line is counted as written or dropped, and drops are
 * reported at most once a minute.
 */
import { closeMs, batchBytes, complaintMs, flushMs, queuedBytesMax, retryMs } from './limits.ts';
import type { LineSink } from './line-sink.ts';

export interface LineQueueOptions {
  readonly sink: LineSink;
  /** Called with the number of lines dropped since the last call. */
  readonly onDropped: (lines: number, error: unknown) => void;
  readonly bytesMax?: number;
  readonly complaintMs?: number;
}

export interface LineCounts {
  readonly written: number;
  readonly dropped: number;
  readonly queuedBytes: number;
}

export class LineQueue {
  readonly #sink: LineSink;
  readonly #onDropped: LineQueueOptions['onDropped'];
  readonly #bytesMax: number;
  readonly #complaintMs: number;
  #text = '';
  #lines = 0;
  /** Of the write in progress. */
  #writingBytes = 0;
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #written = 0;
  #dropped = 0;
  #reported = 0;
  #nextReportMs = 0;
  #lastError: unknown;
  #mustReopen = false;
  #isClosed = false;

  constructor(options: LineQueueOptions) {
    this.#sink = options.sink;
    this.#onDropped = options.onDropped;
    this.#bytesMax = options.bytesMax ?? queuedBytesMax;
    this.#complaintMs = options.complaintMs ?? complaintMs;
  }

  get counts(): LineCounts {
    return {
      written: this.#written,
      dropped: this.#dropped,
      queuedBytes: this.#text.length + this.#writingBytes,
    };
  }

  /** A line is ASCII and ends with a line feed. */
  add(line: string): void {
    if (this.#isClosed || this.#text.length + this.#writingBytes + line.length > this.#bytesMax) {
      return this.#drop(1);
    }
    this.#text += line;
    this.#lines++;
    if (this.#writing !== undefined) return;
    if (this.#text.length >= batchBytes) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), flushMs).unref();
  }

  reopen(): void {
    this.#mustReopen = true;
    this.#start();
  }

  /** Resolves when everything added so far is written or dropped. */
  async flush(): Promise<void> {
    this.#start();
    await this.#writing;
  }

  /** Gives up after a while: a reader that has stopped must not keep the program from stopping. */
  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, closeMs);
    await Promise.race([this.flush(), promise]);
    clearTimeout(timer);
    this.#isClosed = true;
    if (this.#writing === undefined) await this.#sink.close();
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#writing !== undefined) return;
    this.#writing = this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  async #writeAll(): Promise<void> {
    while (this.#lines > 0 || this.#mustReopen) {
      if (this.#mustReopen) await this.#reopenSink();
      else if (!(await this.#writeLines())) {
        // Whatever is wrong will not be better at once.
        this.#timer ??= setTimeout(() => this.#start(), retryMs).unref();
        return;
      }
    }
  }

  /** Returns whether they are written. */
  async #writeLines(): Promise<boolean> {
    const bytes = Buffer.from(this.#text, 'latin1');
    const lines = this.#lines;
    this.#text = '';
    this.#lines = 0;
    this.#writingBytes = bytes.length;
    try {
      await this.#sink.write(bytes);
      this.#written += lines;
      return true;
    } catch (error) {
      this.#lastError = error;
      this.#drop(lines);
      return false;
    } finally {
      this.#writingBytes = 0;
    }
  }

  /** If it fails, the next write tries again, and reports why. */
  async #reopenSink(): Promise<void> {
    this.#mustReopen = false;
    await this.#sink.reopen().catch(() => {});
  }

  #drop(lines: number): void {
    this.#dropped += lines;
    const nowMs = Date.now();
    if (nowMs < this.#nextReportMs) return;
    this.#nextReportMs = nowMs + this.#complaintMs;
    const since = this.#dropped - this.#reported;
    this.#reported = this.#dropped;
    this.#onDropped(since, this.#lastError);
    this.#lastError = undefined;
  }
}
