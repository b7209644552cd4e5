import { Capability, type LinkEntry, outside } from '#rpc';

/** What every object has and no caller is meant to call. */
const reserved: ReadonlySet<string> = new Set(['constructor', 'dup', 'fetch']);

/** Something of this process that is not an object, and is called without its gates. */
export class LocalEntry extends Capability implements LinkEntry {
  constructor(target: () => object) {
    super({ owner: outside, target, reserved });
  }

  fetch(): Promise<Response> {
    return Promise.reject(new TypeError('only objects have fetch()'));
  }
}
