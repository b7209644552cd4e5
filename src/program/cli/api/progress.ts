/**
 * The progress of long work, on standard error if that is a terminal: share, rate, time left. A single line that is
 * overwritten.
 */

interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const intervalMs = 200;

export class Progress implements Disposable {
  readonly #output: Output;
  readonly #now: () => number;
  #title = '';
  #startMs = 0;
  #shownMs = 0;
  #isShown = false;

  constructor(output: Output = process.stderr, now: () => number = Date.now) {
    this.#output = output;
    this.#now = now;
  }

  /** `share` is from 0 to 1. A new title restarts the rate. */
  show(title: string, { count, share, unit }: { count: number; share: number; unit: string }): void {
    if (!this.#isDue(title)) return;
    const seconds = (this.#shownMs - this.#startMs) / 1_000;
    const rate = seconds > 0 ? Math.round(count / seconds) : 0;
    const left = share > 0 ? Math.ceil((seconds / share) * (1 - share)) : undefined;
    this.#write([
      `${title}: ${Math.floor(share * 100)} %`,
      `${count} ${unit}`,
      ...(rate > 0 ? [`${rate}/s`] : []),
      ...(left === undefined ? [] : [`${left} s left`]),
    ]);
  }

  /** Whether a line is due. */
  #isDue(title: string): boolean {
    if (this.#output.isTTY !== true) return false;
    const nowMs = this.#now();
    if (title !== this.#title) {
      this.#title = title;
      this.#startMs = nowMs;
    } else if (nowMs - this.#shownMs < intervalMs) return false;
    this.#shownMs = nowMs;
    return true;
  }

  #write(parts: readonly string[]): void {
    this.#isShown = true;
    this.#output.write(`\r\u001b[K${parts.join(', ')}`);
  }

  /** For work without a known end: shows the elapsed time. */
  wait(title: string): void {
    if (!this.#isDue(title)) return;
    this.#write([`${title}: ${Math.floor((this.#shownMs - this.#startMs) / 1_000)} s`]);
  }

  /** Clears the line. */
  [Symbol.dispose](): void {
    if (this.#isShown) this.#output.write('\r\u001b[K');
  }
}
