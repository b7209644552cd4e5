/**
 * A part of something limited, such as the requests of one zone among all requests: how many hold a slot of it, and which of
 * them wait for their client. A share that is full gives the slot of its idlest holder to a newcomer. Holders for whom the
 * edge or an origin works keep their slots, so that a share full of those admits no other.
 */
import { WaitingOrder } from './waiting-order.ts';

/** Holds a slot, and gives it up at once if it has to. */
export interface Evictable {
  evict(): void;
}

/** A share in which this part waits for its clients has less patience with others. */
const patientPart = 1 / 8;

export interface ShareOptions {
  /** However much is free. */
  readonly max: number;
  /** How many slots it may have at this moment. */
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

  /** Takes a slot, by evicting the idlest holder if there is none left. Returns whether it got one. */
  take(): boolean {
    const isFull = this.#held >= this.#options.limit();
    const idlest = isFull ? this.waiting.first : undefined;
    if (isFull && idlest === undefined) return false;
    // First taken, then given up: a share of one slot does not become empty in between.
    this.#held++;
    idlest?.evict();
    return true;
  }

  release(): void {
    this.#held--;
    if (this.#held === 0) this.#options.onEmpty?.();
  }
}
