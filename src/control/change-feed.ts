/** Who wants to know that an object was written to. */
type Listener = (objectName: string) => void;

export class ChangeFeed {
  readonly #listeners = new Set<Listener>();

  tell(objectName: string): void {
    for (const listener of this.#listeners) listener(objectName);
  }

  /** Until the function that is returned is called. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
