/** How the last streams of a connection ended: frames for them may still be on their way. */

const countMax = 64;

export class ClosedStreams {
  readonly #isOurReset = new Map<number, boolean>();

  add(streamId: number, isOurReset: boolean): void {
    this.#isOurReset.set(streamId, isOurReset);
    if (this.#isOurReset.size <= countMax) return;
    const [oldest] = this.#isOurReset.keys();
    this.#isOurReset.delete(oldest!);
  }

  /** Whether a reset of ours ended it, of which the client may not have known; undefined if it is not remembered. */
  isOurReset(streamId: number): boolean | undefined {
    return this.#isOurReset.get(streamId);
  }
}
