/**
 * The progress of long work, on standard error. A terminal gets one line that is overwritten; other outputs get a line
 * every few seconds, and none for shorter work.
 */
import type { OnProgress } from '#objects';

interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const terminalMs = 100;
const linesMs = 5_000;
const eraseLine = '\r\u001b[2K';

export class ProgressLine implements Disposable {
  readonly #target: Terminal;
  readonly #now: () => number;
  readonly #everyMs: number;
  #step = '';
  #stepStart = 0;
  #writtenAt: number;
  #isShown = false;

  constructor(target: Terminal = process.stderr, now: () => number = Date.now) {
    this.#target = target;
    this.#now = now;
    this.#everyMs = target.isTTY === true ? terminalMs : linesMs;
    this.#writtenAt = now();
  }

  readonly show: OnProgress = ({ step, done, total }) => {
    const now = this.#now();
    if (step !== this.#step) {
      this.#step = step;
      this.#stepStart = now;
    }
    if (now - this.#writtenAt < this.#everyMs) return;
    this.#writtenAt = now;
    const text = `${step}: ${describeAmount(done, total)}${this.#describeRest(done, total, now)}`;
    this.#isShown = true;
    this.#target.write(this.#target.isTTY === true ? `${eraseLine}${text}` : `${text}\n`);
  };

  /** Clears the line, so that further output starts on an empty one. */
  clear(): void {
    if (this.#isShown && this.#target.isTTY === true) this.#target.write(eraseLine);
    this.#isShown = false;
  }

  [Symbol.dispose](): void {
    this.clear();
  }

  #describeRest(done: number, total: number | undefined, now: number): string {
    const spent = now - this.#stepStart;
    if (total === undefined || done === 0 || spent < linesMs / 2) return '';
    return `, ${formatDuration((spent / done) * (total - done))} left`;
  }
}

function describeAmount(done: number, total: number | undefined): string {
  if (total === undefined) return String(done);
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
  return `${formatBytes(done)} of ${formatBytes(total)} (${percent} %)`;
}

export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let amount = bytes;
  let unit = 0;
  for (; amount >= 1_000 && unit < units.length - 1; unit++) amount /= 1_000;
  return unit === 0 ? `${bytes} B` : `${amount.toFixed(1)} ${units[unit]}`;
}

function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
