import { Capability, type LinkEntry, outside } from '#rpc';

/** Calls between hosts that concern no object. */
export class HostEntry extends Capability implements LinkEntry {
  /** `onLeaving` is called when the other host announces that it leaves. */
  constructor(onLeaving: () => void = () => {}) {
    const target = new OtherHost(onLeaving);
    super({ owner: outside, target: () => target, reserved: new Set(['constructor']) });
  }

  fetch(): Promise<Response> {
    return Promise.reject(new TypeError('a host has no fetch()'));
  }
}

class OtherHost {
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
