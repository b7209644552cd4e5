/** How far long work is, on standard error if that is a terminal: share, rate, time left. One line that is overwritten. */

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

  /** `share` is from 0 to 1. A new title starts the rate again. */
  show(title: string, { count, share, unit }: { count: number; share: number; unit: string }): void {
    if (this.#output.isTTY !== true) return;
    const nowMs = this.#now();
    if (title !== this.#title) {
      this.#title = title;
      this.#startMs = nowMs;
    } else if (nowMs - this.#shownMs < intervalMs) return;
    this.#shownMs = nowMs;
    this.#isShown = true;
    const seconds = (nowMs - this.#startMs) / 1_000;
    const rate = seconds > 0 ? Math.round(count / seconds) : 0;
    const left = share > 0 ? Math.ceil((seconds / share) * (1 - share)) : undefined;
    const parts = [
      `${title}: ${Math.floor(share * 100)} %`,
      `${count} ${unit}`,
      ...(rate > 0 ? [`${rate}/s`] : []),
      ...(left === undefined ? [] : [`${left} s left`]),
    ];
    this.#output.write(`\r\u001b[K${parts.join(', ')}`);
  }

  /** Clears the line. */
  [Symbol.dispose](): void {
    if (this.#isShown) this.#output.write('\r\u001b[K');
  }
}
