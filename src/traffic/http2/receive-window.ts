/** What a client may still send, of one stream or of all. It is told of more when half of the window has been consumed. */
export class ReceiveWindow {
  readonly #bytesMax: number;
  #left: number;
  /** Consumed, but the client was not told. */
  #credit = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
    this.#left = bytesMax;
  }

  /** Returns false if that is more than the client may send. */
  take(bytes: number): boolean {
    this.#left -= bytes;
    return this.#left >= 0;
  }

  /** Returns by how much the client is to be told that the window has grown; 0 if it need not be told yet. */
  giveBack(bytes: number): number {
    this.#credit += bytes;
    if (this.#credit < this.#bytesMax / 2) return 0;
    const told = this.#credit;
    this.#left += told;
    this.#credit = 0;
    return told;
  }
}
