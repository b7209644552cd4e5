/** Notifies listeners that an object was written to. */
import { AsyncResource } from 'node:async_hooks';

type Listener = (objectName: string) => void;

export class ChangeFeed {
  readonly #listeners = new Set<Listener>();

  tell(objectName: string): void {
    for (const listener of this.#listeners) listener(objectName);
  }

  /**
   * Calls the listener on each change until the returned function is called. Objects call listeners, but a listener's
   * work runs outside the object's async context: it uses neither the object's gates nor its clock.
   */
  listen(listener: Listener): () => void {
    const bound = AsyncResource.bind(listener);
    this.#listeners.add(bound);
    return () => void this.#listeners.delete(bound);
  }
}
