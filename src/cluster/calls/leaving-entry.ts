import { Capability, type Entry, outside } from '#rpc';

/** What a host that leaves calls at each host that calls it, so that it hears of that at once. */
export class LeavingEntry extends Capability implements Entry {
  constructor(onLeaving: () => void) {
    const target = new LeavingHost(onLeaving);
    super({ owner: outside, target: () => target, reserved: new Set(['constructor']) });
  }

  fetch(): Promise<Response> {
    return Promise.reject(new TypeError('a host that leaves has no fetch()'));
  }
}

class LeavingHost {
  readonly #onLeaving: () => void;

  constructor(onLeaving: () => void) {
    this.#onLeaving = onLeaving;
  }

  /** By the time that this is answered, every call that was made through that host before has arrived there. */
  leave(): void {
    this.#onLeaving();
  }
}
