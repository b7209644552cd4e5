/**
 * Whether a thread's event loop still turns, and which test it is running: written by the thread, readable while it
 * cannot answer.
 */

const beatsIndex = 0;
const watchedIndex = 1;
const lengthIndex = 2;
const textOffset = 12;
const textBytesMax = 1024;
/** Far shorter than any timeout. */
const beatMs = 250;

export class Pulse {
  readonly memory: SharedArrayBuffer;
  readonly #numbers: Int32Array;
  readonly #text: Uint8Array;

  constructor(memory: SharedArrayBuffer) {
    this.memory = memory;
    this.#numbers = new Int32Array(memory, 0, 3);
    this.#text = new Uint8Array(memory, textOffset);
  }

  static create(): Pulse {
    return new Pulse(new SharedArrayBuffer(textOffset + textBytesMax));
  }

  get beats(): number {
    return Atomics.load(this.#numbers, beatsIndex);
  }

  /** False until the thread has started. */
  get isWatched(): boolean {
    return Atomics.load(this.#numbers, watchedIndex) === 1;
  }

  get testName(): string {
    const length = Atomics.load(this.#numbers, lengthIndex);
    return new TextDecoder().decode(this.#text.slice(0, length));
  }

  /** Beats from now on, while the event loop of the thread turns. */
  start(setInterval: typeof globalThis.setInterval): void {
    Atomics.store(this.#numbers, watchedIndex, 1);
    setInterval(() => Atomics.add(this.#numbers, beatsIndex, 1), beatMs).unref();
  }

  enterTest(name: string): void {
    const bytes = new TextEncoder().encode(name).subarray(0, textBytesMax);
    this.#text.set(bytes);
    Atomics.store(this.#numbers, lengthIndex, bytes.length);
  }
}
