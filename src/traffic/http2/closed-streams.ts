/** How the most recent streams of a connection ended: frames for them may still be in transit. */

const countMax = 64;

export class ClosedStreams {
  readonly #isOurReset = new Map<number, boolean>();

  add(streamId: number, isOurReset: boolean): void {
    this.#isOurReset.set(streamId, isOurReset);
    if (this.#isOurReset.size <= countMax) return;
    const [oldest] = this.#isOurReset.keys();
    this.#isOurReset.delete(oldest!);
  }

  /** Whether our reset closed it, which the client may not have received yet; undefined if it is not remembered. */
  isOurReset(streamId: number): boolean | undefined {
    return this.#isOurReset.get(streamId);
  }
}
