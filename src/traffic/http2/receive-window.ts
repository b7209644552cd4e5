/**
 * How much a client may still send, on one stream or on all. A window update is sent when half of the window has been
 * consumed.
 */
export class ReceiveWindow {
  readonly #bytesMax: number;
  #left: number;
  /** Consumed bytes that no window update has announced yet. */
  #credit = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
    this.#left = bytesMax;
  }

  /** Returns false if the client exceeds the window. */
  take(bytes: number): boolean {
    this.#left -= bytes;
    return this.#left >= 0;
  }

  /** Returns the increment of the window update to send; 0 if none is due yet. */
  giveBack(bytes: number): number {
    this.#credit += bytes;
    if (this.#credit < this.#bytesMax / 2) return 0;
    const told = this.#credit;
    this.#left += told;
    this.#credit = 0;
    return told;
  }
}
