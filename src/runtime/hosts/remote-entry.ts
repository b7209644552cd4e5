import type { Address, LinkEntry, Link, RemoteCall, Side } from '#rpc';

/** A target in another process, for the calls of one stub, which belong to one link from the first of them on. */
export class RemoteEntry implements LinkEntry {
  readonly address: Address;
  readonly #link: () => Link;
  #remote: ReturnType<Link['entry']> | undefined;

  constructor(link: () => Link, address: Address) {
    this.#link = link;
    this.address = address;
  }

  /** The stub of an entry point does not keep its object awake. */
  hold(): void {}
  release(): void {}

  call(holder: Side, path: readonly string[], args: readonly unknown[] | undefined): RemoteCall {
    return this.#bound().call(holder, path, args);
  }

  fetch(holder: Side, request: Request): Promise<Response> {
    return this.#bound().fetch(holder, request);
  }

  #bound(): ReturnType<Link['entry']> {
    this.#remote ??= this.#link().entry(this.address);
    return this.#remote;
  }
}
