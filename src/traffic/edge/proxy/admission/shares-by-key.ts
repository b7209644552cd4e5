/**
 * The shares of zones or of addresses in one total. No share takes more slots than the total has free: one alone gets
 * half of the total, two get a third each, so a newcomer finds room however many fill up. Every share is guaranteed a
 * few slots even when the total is full; they are taken from the idlest holder of all.
 */
import { Share } from './share.ts';

/** A share up to this size is never refused for lack of free slots: 8 of 2,048 requests, 64 of 16,384 connections. */
const guaranteedPart = 1 / 256;

export interface SharesByKeyOptions {
  readonly total: Share;
  readonly totalMax: number;
  /** The limit of one share regardless of free slots. */
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

  /** The caller must take a slot at once: a share without holders always has a free one. */
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
