import { LocalEntry } from '#rpc';

/** Calls between hosts that concern no object. `onLeaving` is called when the other host announces that it leaves. */
export function createHostEntry(onLeaving: () => void = () => {}): LocalEntry {
  const host = new CalledHost(onLeaving);
  return new LocalEntry(() => host);
}

class CalledHost {
  readonly #onLeaving: () => void;

  constructor(onLeaving: () => void) {
    this.#onLeaving = onLeaving;
  }

  /** When this is answered, every call made earlier through that host has arrived there. */
  leave(): void {
    this.#onLeaving();
  }

  /** The answer alone is the sign of life. */
  alive(): void {}
}
