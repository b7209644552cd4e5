import { Capability } from './capability.ts';
import type { LinkEntry } from './link/link.ts';
import { outside } from './side.ts';

/** Members of every object that callers in other processes must not call. */
const reserved: ReadonlySet<string> = new Set(['constructor', 'dup', 'fetch']);

/** A target in this process that is not an object, and is called without gates. */
export class LocalEntry extends Capability implements LinkEntry {
  constructor(target: () => object) {
    super({ owner: outside, target, reserved });
  }

  fetch(): Promise<Response> {
    return Promise.reject(new TypeError('only objects have fetch()'));
  }
}
