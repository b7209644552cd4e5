import { exportTarget } from './capability.ts';
import { passesAsIs } from './copy.ts';
import type { LinkEntry } from './link/link.ts';
import { PassedValue } from './passed-value.ts';
import type { RemoteCall } from './reference.ts';
import type { Side } from './side.ts';

/**
 * An entry point that is still being looked up. Calls wait for it in order; their arguments are copied when the call is
 * made, as for any call.
 */
export class LaterEntry implements LinkEntry {
  readonly #found: Promise<LinkEntry>;
  #waiting = 0;

  constructor(found: Promise<LinkEntry>) {
    this.#found = found;
    // Its callers get the error.
    found.catch(() => {});
  }

  /** Whether calls wait: a call that bypasses this entry would overtake them. */
  get isWaiting(): boolean {
    return this.#waiting > 0;
  }

  hold(): void {}
  release(): void {}

  call(holder: Side, path: readonly string[], args: readonly unknown[] | undefined): RemoteCall {
    const isLight = args === undefined || args.every(passesAsIs);
    const message = isLight ? undefined : new PassedValue(args, { from: holder, to: holder, exportTarget });
    const call = this.#whenFound((entry) => entry.call(holder, path, message?.value ?? args));
    const later = new LaterCall(call);
    if (message !== undefined) {
      const dispose = (): void => message.dispose();
      later.result.then(dispose, dispose);
    }
    return later;
  }

  async fetch(holder: Side, request: Request): Promise<Response> {
    return await (
      await this.#whenFound((entry) => ({ response: entry.fetch(holder, request) }))
    ).response;
  }

  async #whenFound<T>(use: (entry: LinkEntry) => T): Promise<T> {
    this.#waiting++;
    try {
      return use(await this.#found);
    } finally {
      this.#waiting--;
    }
  }
}

class LaterCall implements RemoteCall {
  readonly result: Promise<unknown>;
  readonly #call: Promise<RemoteCall>;

  constructor(call: Promise<RemoteCall>) {
    this.#call = call;
    this.result = call.then(({ result }) => result);
  }

  pipeline(path: readonly string[], args: readonly unknown[] | undefined): RemoteCall {
    this.result.catch(() => {});
    return new LaterCall(this.#call.then((call) => call.pipeline(path, args)));
  }
}
