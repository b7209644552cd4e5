import { Capability, type LinkEntry, outside, type Side } from '#rpc';
import type { AssetServer } from './asset-server.ts';

/** The assets of a Worker as code calls them: only by `fetch`. */
export class AssetEntry extends Capability implements LinkEntry {
  readonly #assets: AssetServer;

  constructor(assets: AssetServer) {
    super({ owner: outside, target: () => ({}), reserved: new Set() });
    this.#assets = assets;
  }

  fetch(holder: Side, request: Request): Promise<Response> {
    return holder.reach(() => this.#assets.answer(request));
  }
}
