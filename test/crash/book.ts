/**
 * Objects for detecting which writes survived: a book is edited, one numbered edit after the other, each all or
 * nothing; its contents show which edit was the last, and whether it is complete.
 */
import { DurableObject } from '#objects';
import type { Random } from '../faults/random.ts';

export interface Edit {
  /** Edits of one book count from 1. */
  readonly version: number;
  readonly manner: 'turn' | 'transaction' | 'transactionSync';
  /** Everything except the alarm is deleted first. Only in the manner of a turn. */
  readonly clear: boolean;
  readonly puts: Readonly<Record<string, string>>;
  readonly deletes: readonly string[];
  /** A time, or null to delete it, or undefined to leave it. */
  readonly alarm: number | null | undefined;
}

export interface Pages {
  readonly version: number;
  readonly entries: Readonly<Record<string, string>>;
  readonly alarm: number | null;
}

export interface Book {
  edit(edit: Edit): Promise<void>;
  look(): Promise<Pages>;
}

export const blankPages: Pages = { version: 0, entries: {}, alarm: null };

/** What a book holds after an edit. */
export function applyEdit(pages: Pages, { version, clear, puts, deletes, alarm }: Edit): Pages {
  const entries = { ...(clear ? {} : pages.entries), ...puts };
  for (const key of deletes) delete entries[key];
  return { version, entries: sortEntries(entries), alarm: alarm === undefined ? pages.alarm : alarm };
}

const keys = Array.from('abcdefghijkl');
/** So far in the future that it never fires. */
const alarmTimeMin = Date.UTC(2100, 0, 1);

export function randomEdit(random: Random, version: number): Edit {
  const puts: Record<string, string> = {};
  for (let count = 1 + random.below(5); count > 0; count--) {
    const length = random.chance(0.05) ? random.below(40_000) : random.below(200);
    puts[random.pick(keys)] = `${version}${'.'.repeat(length)}`;
  }
  const clear = random.chance(0.04);
  return {
    version,
    manner: clear ? 'turn' : random.pick(['turn', 'transaction', 'transactionSync']),
    clear,
    puts,
    deletes: random.chance(0.3) ? [random.pick(keys), random.pick(keys)] : [],
    alarm: random.chance(0.1) ? alarmTimeMin + version : random.chance(0.05) ? null : undefined,
  };
}

/** Keeps its entries in key-value storage. */
export class KvBook extends DurableObject implements Book {
  async edit(edit: Edit): Promise<void> {
    const { storage } = this.ctx;
    if (edit.manner !== 'turn') {
      await storage.transaction(async (txn) => {
        await txn.put(edit.puts);
        await txn.get('version');
        await txn.delete([...edit.deletes]);
        await setAlarm(txn, edit.alarm);
        await txn.put('version', edit.version);
      });
      return;
    }
    // No await between the writes: one turn, one commit.
    const writes: Array<Promise<unknown>> = [];
    if (edit.clear) writes.push(storage.deleteAll());
    for (const [key, value] of Object.entries(edit.puts)) writes.push(storage.put(key, value));
    writes.push(
      storage.delete([...edit.deletes]),
      setAlarm(storage, edit.alarm),
      storage.put('version', edit.version),
    );
    await Promise.all(writes);
  }

  async look(): Promise<Pages> {
    const { version = 0, ...entries } = Object.fromEntries(await this.ctx.storage.list());
    return {
      version: version as number,
      entries: sortEntries(entries as Record<string, string>),
      alarm: await this.ctx.storage.getAlarm(),
    };
  }

  alarm(): never {
    throw new Error('an alarm of a book is never due');
  }
}

/** Keeps half of its entries in a table, the other half in the key-value part of the same database. */
export class SqlBook extends DurableObject implements Book {
  async edit(edit: Edit): Promise<void> {
    const { storage } = this.ctx;
    if (edit.manner === 'transactionSync') storage.transactionSync(() => void this.#write(edit));
    else if (edit.manner === 'transaction') {
      await storage.transaction(async () => {
        await this.#write(edit);
        await storage.get('version');
      });
    } else {
      const cleared = edit.clear ? storage.deleteAll() : undefined;
      await Promise.all([cleared, this.#write(edit)]);
    }
  }

  async look(): Promise<Pages> {
    const { storage } = this.ctx;
    this.#prepare();
    const rows = storage.sql.exec('SELECT key, value FROM book').raw().toArray();
    const { version = 0, ...entries } = Object.fromEntries([...rows, ...(await storage.list())]);
    return {
      version: version as number,
      entries: sortEntries(entries as Record<string, string>),
      alarm: await storage.getAlarm(),
    };
  }

  alarm(): never {
    throw new Error('an alarm of a book is never due');
  }

  #prepare(): void {
    this.ctx.storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS book (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID',
    );
  }

  /** All writes are requested at once; the promise only reports failure. */
  async #write(edit: Edit): Promise<void> {
    const { storage } = this.ctx;
    this.#prepare();
    const writes: Array<Promise<unknown>> = [];
    for (const [key, value] of Object.entries(edit.puts)) {
      if (isRow(key)) storage.sql.exec('INSERT OR REPLACE INTO book VALUES (?, ?)', key, value);
      else writes.push(storage.put(key, value));
    }
    for (const key of edit.deletes) {
      if (isRow(key)) storage.sql.exec('DELETE FROM book WHERE key = ?', key);
      else writes.push(storage.delete(key));
    }
    writes.push(setAlarm(storage, edit.alarm), storage.put('version', edit.version));
    await Promise.all(writes);
  }
}

function isRow(key: string): boolean {
  return key < 'g';
}

interface AlarmSetter {
  setAlarm(time: number): Promise<void>;
  deleteAlarm(): Promise<void>;
}

async function setAlarm(storage: AlarmSetter, alarm: Edit['alarm']): Promise<void> {
  if (alarm === null) await storage.deleteAlarm();
  else if (alarm !== undefined) await storage.setAlarm(alarm);
}

function sortEntries(entries: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));
}
