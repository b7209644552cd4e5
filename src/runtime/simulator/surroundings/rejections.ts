/**
 * Unhandled rejections, for the duration of a simulation: a crash leaves many. They are recorded in the story;
 * otherwise they would end the process, or the running test.
 */
export class Rejections {
  readonly #others = process.listeners('unhandledRejection');
  #note: (error: unknown) => void = () => {};
  readonly #listener = (error: unknown): void => this.#note(error);

  constructor() {
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', this.#listener);
  }

  /** Sets the function that records them from now on. */
  use(note: (error: unknown) => void): void {
    this.#note = note;
  }

  [Symbol.dispose](): void {
    process.off('unhandledRejection', this.#listener);
    for (const listener of this.#others) process.on('unhandledRejection', listener);
  }
}
