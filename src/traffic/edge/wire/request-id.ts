/**
 * Creates request ids: eleven hexadecimal digits of milliseconds, five of a counter, and the name of the process. Two
 * ids of one process differ in time or counter, so ids are unique if process names are, and they sort by time.
 */
import { randomInt } from 'node:crypto';

const counterMax = 0x10_0000;
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const nameLength = 4;

/** The digits of all 8-bit numbers, precomputed because an id is created for each request. */
const hexOf8 = Array.from({ length: 1 << 8 }, (_, number) => number.toString(16).padStart(2, '0'));
const hexOf12 = Array.from({ length: 1 << 12 }, (_, number) => number.toString(16).padStart(3, '0'));

export class RequestIds {
  readonly #suffix: string;
  #counter = randomInt(counterMax);
  #time = -1;
  #timeText = '';

  constructor(processName: string = createRandomName()) {
    this.#suffix = `-${processName}`;
  }

  next(nowMs: number): string {
    if (nowMs !== this.#time) {
      this.#time = nowMs;
      this.#timeText = nowMs.toString(16).padStart(11, '0');
    }
    this.#counter = (this.#counter + 1) % counterMax;
    const counter = this.#counter;
    return this.#timeText + hexOf8[counter >>> 12]! + hexOf12[counter & 0xfff]! + this.#suffix;
  }
}

function createRandomName(): string {
  return Array.from({ length: nameLength }, () => letters[randomInt(letters.length)]).join('');
}
