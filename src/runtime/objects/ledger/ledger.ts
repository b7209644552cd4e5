/**
 * The only writer of an object's records. It knows the object's entry as it will be once everything appended is
 * durable, chains each record to the previous one, and updates the tables when the journal reports the record as
 * durable.
 *
 * If an append fails, this ledger is ahead of the disk: it stays `failed`; to continue, load another one.
 */
import { JournalWriteError, type Log, type Position } from '#journal';
import type { ObjectTables } from './object-tables.ts';
import { type ObjectEntry, advance, changesOf, decodeEntry, reserved } from './catalogue.ts';
import { type Commit, type Owner, encodeCommit } from './records.ts';

export interface Recorded {
  readonly position: Position;
  readonly durable: Promise<void>;
}

/** An object and its entry at one moment, all of it durable and readable. */
export interface Chronicle {
  readonly owner: Owner;
  readonly entry: ObjectEntry;
}

export class Ledger {
  readonly owner: Owner;
  readonly #journal: Log;
  readonly #tables: ObjectTables;
  readonly #onAlarm: (owner: Owner, time: number | undefined) => void;
  #entry: ObjectEntry;
  #failed = false;
  /** Records that are not yet durable, and how often the journal had failed when the first of them was appended. */
  #unsettled = 0;
  #failuresBefore = 0;
  #newest: Promise<void> = Promise.resolve();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    owner: Owner,
    entry: ObjectEntry,
    parts: { journal: Log; tables: ObjectTables; onAlarm: (owner: Owner, time: number | undefined) => void },
  ) {
    this.owner = owner;
    this.#entry = entry;
    this.#journal = parts.journal;
    this.#tables = parts.tables;
    this.#onAlarm = parts.onAlarm;
  }

  get entry(): ObjectEntry {
    return this.#entry;
  }

  get failed(): boolean {
    return this.#failed;
  }

  /** Appends one commit. `settled` is called when the commit is durable and the tables contain it. */
  append(commit: Omit<Commit, 'owner' | 'previous'>, settled?: () => void): Recorded {
    this.#checkWhole();
    const whole: Commit = { ...commit, owner: this.owner, previous: this.#entry.head };
    const before = this.#entry;
    const settle = (): void => {
      this.#unsettled--;
      this.#tables.apply(changesOf(whole, before, after), end);
      if (before.alarm !== after.alarm) this.#onAlarm(this.owner, after.alarm);
      settled?.();
    };
    const { position, end, time, durable } = this.#journal.append(encodeCommit(whole), settle, commit);
    const after = advance(before, whole, { position, end, time });
    this.#entry = after;
    this.#unsettled++;
    this.#newest = durable;
    durable.catch(() => {
      this.#failed = true;
    });
    return { position, durable };
  }

  /** Nothing may be chained to a failed record, even before its waiters have been notified of the failure. */
  #checkWhole(): void {
    const { failures } = this.#journal;
    if (this.#unsettled === 0) this.#failuresBefore = failures;
    if (failures !== this.#failuresBefore) this.#failed = true;
    if (!this.#failed) return;
    const cause = this.#journal.lastFailure;
    throw new JournalWriteError(new Error('an earlier write of the object failed', { cause }));
  }

  /** The current entry, once all of it is durable and in the tables. */
  async settled(): Promise<Chronicle> {
    const { owner, entry } = this;
    await this.#newest;
    return { owner, entry };
  }

  /** Runs work that must not overlap other such work on this object: waking it, restoring it, dropping its history. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work, work);
    this.#turn = turn.catch(() => {});
    return turn;
  }
}

export async function readEntry(tables: Pick<ObjectTables, 'get'>, owner: Owner): Promise<ObjectEntry> {
  return decodeEntry(await tables.get(reserved.objects, owner));
}
