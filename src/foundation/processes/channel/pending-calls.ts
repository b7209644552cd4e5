/** Calls of another process or thread that wait for their answers, by number. */
export class PendingCalls<Answer> {
  readonly #waiting = new Map<number, PromiseWithResolvers<Answer>>();
  #lastId = 0;

  /** `send` gets the number that the answer must name. */
  call(send: (id: number) => void): Promise<Answer> {
    const id = ++this.#lastId;
    const waiting = Promise.withResolvers<Answer>();
    this.#waiting.set(id, waiting);
    send(id);
    return waiting.promise;
  }

  /** Ignored if no call waits for it. */
  answer(id: number, answer: Answer): void {
    this.#take(id)?.resolve(answer);
  }

  fail(id: number, error: Error): void {
    this.#take(id)?.reject(error);
  }

  /** For calls that will not be answered any more. */
  answerAll(answer: Answer): void {
    for (const id of this.#waiting.keys()) this.answer(id, answer);
  }

  failAll(error: Error): void {
    for (const id of this.#waiting.keys()) this.fail(id, error);
  }

  #take(id: number): PromiseWithResolvers<Answer> | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}
