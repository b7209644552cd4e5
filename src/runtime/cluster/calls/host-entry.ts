import { Capability, type LinkEntry, outside } from '#rpc';

/** What hosts tell each other that is about none of their objects. */
export class HostEntry extends Capability implements LinkEntry {
  /** `onLeaving` is called when the other host says that it leaves. */
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

  /** By the time that this is answered, every call that was made through that host before has arrived there. */
  leave(): void {
    this.#onLeaving();
  }

  /** Answered is said enough. */
  alive(): void {}
}
