import { Capability, type LinkEntry, outside } from '#rpc';

/** Something of this process other than an object, which other hosts call by a name. */
export class OfferedEntry extends Capability implements LinkEntry {
  constructor(name: string, find: (name: string) => object | undefined) {
    const target = (): object => {
      const found = find(name);
      if (found === undefined) throw new TypeError(`this host offers nothing under the name ${name}`);
      return found;
    };
    super({ owner: outside, target, reserved: new Set(['constructor', 'dup', 'fetch']) });
  }

  fetch(): Promise<Response> {
    return Promise.reject(new TypeError('only objects have fetch()'));
  }
}
