/** Every ledger in use, so that all who write an object's records write through the same one. */
import type { Journal } from '#journal';
import type { Tables } from '#tables';
import { decodeEntry, reserved } from './catalogue.ts';
import type { ClassEntry } from './classes.ts';
import { DurableObjectId } from './ids.ts';
import { Ledger, readEntry } from './ledger.ts';
import { type Owner, decodeOwner, encodeOwner } from './records.ts';

interface Open {
  readonly ledger: Promise<Ledger>;
  users: number;
}

export class LedgerBook {
  readonly #parts: {
    readonly journal: Journal;
    readonly tables: Tables;
    readonly onAlarm: (owner: Owner, time: number | undefined) => void;
  };
  readonly #open = new Map<Owner, Open>();

  constructor(parts: { journal: Journal; tables: Tables; onAlarm: (owner: Owner, time: number | undefined) => void }) {
    this.#parts = parts;
  }

  /** The object's ledger, to be given back with `release`. */
  async acquire(owner: Owner): Promise<Ledger> {
    let open = this.#open.get(owner);
    if (open === undefined) {
      const load = async (): Promise<Ledger> => new Ledger(owner, await readEntry(this.#parts.tables, owner), this.#parts);
      open = { ledger: load(), users: 0 };
      this.#open.set(owner, open);
    }
    open.users++;
    const ledger = await open.ledger.catch((error: unknown) => {
      this.#drop(owner, open);
      throw error;
    });
    if (!ledger.failed) return ledger;
    this.#drop(owner, open);
    return await this.acquire(owner);
  }

  release(owner: Owner): void {
    const open = this.#open.get(owner);
    if (open !== undefined && --open.users === 0) this.#open.delete(owner);
  }

  async use<T>(owner: Owner, work: (ledger: Ledger) => Promise<T>): Promise<T> {
    const ledger = await this.acquire(owner);
    try {
      return await work(ledger);
    } finally {
      this.release(owner);
    }
  }

  /** The objects of a class that have stored something. */
  async *list({ number, name: className, storage }: ClassEntry): AsyncGenerator<{ id: DurableObjectId; name: string | undefined }> {
    const { tables } = this.#parts;
    const prefix = encodeOwner(number, '00'.repeat(32)).slice(0, 2);
    if (storage === 'kv') {
      for await (const owner of tables.owners(prefix)) {
        const { name } = await readEntry(tables, owner as Owner);
        yield { id: new DurableObjectId(decodeOwner(owner as Owner).idHex, className, name), name };
      }
      return;
    }
    for await (const [owner, bytes] of tables.iterate(reserved.objects)) {
      if (!owner.startsWith(prefix)) continue;
      const { name } = decodeEntry(bytes);
      yield { id: new DurableObjectId(decodeOwner(owner as Owner).idHex, className, name), name };
    }
  }

  #drop(owner: Owner, open: Open): void {
    if (this.#open.get(owner) === open) this.#open.delete(owner);
  }
}
