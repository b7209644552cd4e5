/** Who wants to know that an object was written to. */
import { AsyncResource } from 'node:async_hooks';

type Listener = (objectName: string) => void;

export class ChangeFeed {
  readonly #listeners = new Set<Listener>();

  tell(objectName: string): void {
    for (const listener of this.#listeners) listener(objectName);
  }

  /**
   * Until the function that is returned is called. Listeners are called by objects, but what they start is not the object's:
   * neither its gates nor its clock are for them.
   */
  listen(listener: Listener): () => void {
    const bound = AsyncResource.bind(listener);
    this.#listeners.add(bound);
    return () => void this.#listeners.delete(bound);
  }
}
