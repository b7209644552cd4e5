/**
 * A part of a limited resource, such as the requests of one zone among all requests: how many holders have a slot, and
 * which of them wait for their client. A full share evicts its idlest holder for a newcomer. Holders that the edge or
 * an origin works for keep their slots, so a share full of those admits no other.
 */
import { WaitingOrder } from './waiting-order.ts';

/** Holds a slot, and releases it at once when evicted. */
export interface Evictable {
  evict(): void;
}

/** When holders of at least this part of the slots wait for their clients, each client gets less time. */
const patientPart = 1 / 8;

export interface ShareOptions {
  /** The limit regardless of free slots. */
  readonly max: number;
  /** How many slots the share may have at this moment. */
  readonly limit: () => number;
  /** Called when the last slot is released. */
  readonly onEmpty?: () => void;
}

export class Share {
  readonly waiting = new WaitingOrder<Evictable>();
  readonly #options: ShareOptions;
  #held = 0;

  constructor(options: ShareOptions) {
    this.#options = options;
  }

  get held(): number {
    return this.#held;
  }

  get isImpatient(): boolean {
    return this.waiting.size >= this.#options.max * patientPart;
  }

  /** Takes a slot, and evicts the idlest holder if none is free. Returns whether it got one. */
  take(): boolean {
    const isFull = this.#held >= this.#options.limit();
    const idlest = isFull ? this.waiting.first : undefined;
    if (isFull && idlest === undefined) return false;
    // Takes before it evicts: a share of one slot does not become empty in between.
    this.#held++;
    idlest?.evict();
    return true;
  }

  release(): void {
    this.#held--;
    if (this.#held === 0) this.#options.onEmpty?.();
  }
}
