/**
 * The shares of zones or of addresses in one total. None takes more slots than the total has left: one alone gets half of
 * the total, two get a third each, so however many fill up, a newcomer finds room. A few slots are everybody's even when the
 * total is full; they come from the idlest of all.
 */
import { Share } from './share.ts';

/** A share of this size is never refused for lack of free slots: 8 of 2,048 requests, 64 of 16,384 connections. */
const guaranteedPart = 1 / 256;

export interface SharesByKeyOptions {
  readonly total: Share;
  readonly totalMax: number;
  /** Of one share, however much is free. */
  readonly shareMax: number;
}

export class SharesByKey {
  readonly #shares = new Map<string, Share>();
  readonly #shareMax: number;
  readonly #limit: () => number;

  constructor({ total, totalMax, shareMax }: SharesByKeyOptions) {
    const guaranteed = Math.max(1, Math.floor(totalMax * guaranteedPart));
    this.#shareMax = shareMax;
    this.#limit = () => Math.min(shareMax, Math.max(guaranteed, totalMax - total.held));
  }

  /** The caller takes a slot of it at once: a share without holders always has one. */
  get(key: string): Share {
    const known = this.#shares.get(key);
    if (known !== undefined) return known;
    const share = new Share({
      max: this.#shareMax,
      limit: this.#limit,
      onEmpty: () => this.#shares.delete(key),
    });
    this.#shares.set(key, share);
    return share;
  }
}
