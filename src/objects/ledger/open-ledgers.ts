/**
 * Every ledger in use, so that all who write an object's records write through the same one. A ledger that
 * nobody uses is kept until what it wrote has settled: until then the tables do not know of it, and a ledger
 * read from them would start a second history.
 */
import type { Journal } from '#journal';
import type { Tables } from '#tables';
import { decodeEntry, reserved } from './catalogue.ts';
import type { ClassEntry } from '../classes.ts';
import { DurableObjectId } from '../ids.ts';
import { Ledger, readEntry } from './ledger.ts';
import { type Owner, decodeOwner, encodeOwner } from './records.ts';

interface Open {
  readonly ledger: Promise<Ledger>;
  users: number;
}

export class OpenLedgers {
  readonly #parts: {
    readonly journal: Journal;
    readonly tables: Tables;
    readonly onAlarm: (owner: Owner, time: number | undefined) => void;
  };
  readonly #open = new Map<Owner, Open>();
  readonly #openOf = new WeakMap<Ledger, Open>();

  constructor(parts: {
    journal: Journal;
    tables: Tables;
    onAlarm: (owner: Owner, time: number | undefined) => void;
  }) {
    this.#parts = parts;
  }

  /** The object's ledger, to be given back with `release`. */
  async acquire(owner: Owner): Promise<Ledger> {
    let open = this.#open.get(owner);
    if (open === undefined) {
      open = { ledger: this.#load(owner), users: 0 };
      this.#open.set(owner, open);
    }
    open.users++;
    const ledger = await open.ledger.catch((error: unknown) => {
      this.#drop(owner, open);
      throw error;
    });
    this.#openOf.set(ledger, open);
    // What is on its way decides whether this ledger is still of use.
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

  /** The objects of a class that have stored something. */
  async *list({
    number,
    name: className,
    storage,
  }: ClassEntry): AsyncGenerator<{ id: DurableObjectId; name: string | undefined }> {
    const { tables } = this.#parts;
    const prefix = encodeOwner(number, '00'.repeat(32)).slice(0, 2);
    if (storage === 'kv') {
      for await (const owner of tables.owners(prefix)) {
        const { name } = await readEntry(tables, owner as Owner);
        yield { id: new DurableObjectId(decodeOwner(owner as Owner).idHex, className, name), name };
      }
      return;
    }
    for await (const [owner, bytes] of tables.iterate(reserved.objects, { start: prefix })) {
      if (!owner.startsWith(prefix)) return;
      const { name } = decodeEntry(bytes);
      yield { id: new DurableObjectId(decodeOwner(owner as Owner).idHex, className, name), name };
    }
  }

  async #load(owner: Owner): Promise<Ledger> {
    return new Ledger(owner, await readEntry(this.#parts.tables, owner), this.#parts);
  }

  #drop(owner: Owner, open: Open): void {
    if (this.#open.get(owner) === open) this.#open.delete(owner);
  }
}
