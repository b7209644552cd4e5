/**
 * Every ledger in use, so that all writers of an object's records use the same one. A ledger that is not used is kept
 * until its writes have settled: until then the tables do not contain them, and a ledger read from the tables would
 * start a second history.
 */
import type { Ledger } from './ledger.ts';
import type { Owner } from './records.ts';

interface OpenLedger {
  readonly ledger: Promise<Ledger>;
  users: number;
}

export interface OpenLedgersParts {
  readonly load: (owner: Owner) => Promise<Ledger>;
  /** The ledger of an object is no longer used, and all its writes have settled. */
  readonly onDrop?: (owner: Owner) => void;
}

export class OpenLedgers {
  readonly #parts: OpenLedgersParts;
  readonly #open = new Map<Owner, OpenLedger>();
  readonly #openOf = new WeakMap<Ledger, OpenLedger>();

  constructor(parts: OpenLedgersParts) {
    this.#parts = parts;
  }

  /** Returns the object's ledger; give it back with `release`. */
  async acquire(owner: Owner): Promise<Ledger> {
    let open = this.#open.get(owner);
    if (open === undefined) {
      open = { ledger: this.#parts.load(owner), users: 0 };
      this.#open.set(owner, open);
    }
    open.users++;
    const ledger = await open.ledger.catch((error: unknown) => {
      this.#drop(owner, open);
      throw error;
    });
    this.#openOf.set(ledger, open);
    // Whether the pending writes succeed decides whether this ledger is still usable.
    await ledger.settled().catch(() => {});
    if (!ledger.failed) return ledger;
    this.#drop(owner, open);
    return await this.acquire(owner);
  }

  release(ledger: Ledger): void {
    const open = this.#openOf.get(ledger)!;
    if (--open.users > 0) return;
    const forget = (): void => {
      if (open.users === 0) this.#drop(ledger.owner, open);
    };
    ledger.settled().then(forget, forget);
  }

  async use<T>(owner: Owner, work: (ledger: Ledger) => Promise<T>): Promise<T> {
    const ledger = await this.acquire(owner);
    try {
      return await work(ledger);
    } finally {
      this.release(ledger);
    }
  }

  #drop(owner: Owner, open: OpenLedger): void {
    if (this.#open.get(owner) !== open) return;
    this.#open.delete(owner);
    this.#parts.onDrop?.(owner);
  }
}
