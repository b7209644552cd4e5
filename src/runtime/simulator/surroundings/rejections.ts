/**
 * Promises that were rejected and that nobody looks at, for as long as a simulation lasts: a crash leaves many behind. They
 * are noted in the story; otherwise they would end the process, or the test that runs.
 */
export class Rejections {
  readonly #others = process.listeners('unhandledRejection');
  #note: (error: unknown) => void = () => {};
  readonly #listener = (error: unknown): void => this.#note(error);

  constructor() {
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', this.#listener);
  }

  /** Where they are noted from now on. */
  use(note: (error: unknown) => void): void {
    this.#note = note;
  }

  [Symbol.dispose](): void {
    process.off('unhandledRejection', this.#listener);
    for (const listener of this.#others) process.on('unhandledRejection', listener);
  }
}
