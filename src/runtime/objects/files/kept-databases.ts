/**
 * The databases of SQL objects that were recently put away or reset, as files: if an object is woken again and has no
 * newer records, its file is opened again instead of being materialised from the journal.
 *
 * A file is kept under the position of the object's last record, and only if that record is known to be durable:
 * positions that were lost in a failed write are assigned again. The caller names the position it needs; a file of
 * another position is removed. When there are too many, those put away longest ago are removed first.
 */
import { statSync } from 'node:fs';
import type { Position } from '#journal';
import { removeDatabase } from '#sqlite';
import type { Owner } from '../ledger/records.ts';
import { keptDatabaseBytesMax, keptDatabasesMax } from '../limits.ts';

interface KeptDatabase {
  readonly path: string;
  readonly position: Position;
  readonly bytes: number;
  durable: boolean;
}

export class KeptDatabases {
  readonly #kept = new Map<Owner, KeptDatabase>();
  #bytes = 0;

  /** Takes over the file at `path`, which is not open. It may be used once `durable` resolves. */
  keep(
    owner: Owner,
    { path, position }: { path: string; position: Position },
    durable: Promise<unknown>,
  ): void {
    this.#remove(owner);
    const bytes = sizeOf(path);
    // A remaining write-ahead log could not be folded into the file for lack of space, so this space is needed.
    if (bytes === undefined || bytes > keptDatabaseBytesMax || sizeOf(`${path}-wal`) !== undefined) {
      removeDatabase(path);
      return;
    }
    const kept: KeptDatabase = { path, position, bytes, durable: false };
    this.#kept.set(owner, kept);
    this.#bytes += bytes;
    durable.then(
      () => (kept.durable = true),
      () => {
        if (this.#kept.get(owner) === kept) this.#remove(owner);
      },
    );
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= keptDatabaseBytesMax && this.#kept.size <= keptDatabasesMax) break;
      this.#remove(oldest);
    }
  }

  /** The file of an object whose last record is at `position`, if it was kept. The caller now owns it. */
  take(owner: Owner, position: Position): string | undefined {
    const kept = this.#kept.get(owner);
    if (kept === undefined) return undefined;
    if (!kept.durable || kept.position !== position) {
      this.#remove(owner);
      return undefined;
    }
    this.#forget(owner, kept);
    return kept.path;
  }

  clear(): void {
    for (const owner of this.#kept.keys()) this.#remove(owner);
  }

  #remove(owner: Owner): void {
    const kept = this.#kept.get(owner);
    if (kept === undefined) return;
    this.#forget(owner, kept);
    removeDatabase(kept.path);
  }

  #forget(owner: Owner, kept: KeptDatabase): void {
    this.#kept.delete(owner);
    this.#bytes -= kept.bytes;
  }
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}
