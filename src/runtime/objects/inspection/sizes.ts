/** The disk space of each object: its records in the journal, its images, and its rows in the tables. */
import type { Journal } from '#journal';
import type { Tables } from '#tables';
import { type Owner, ownerBytes } from '../ledger/records.ts';
import type { Images } from '../history/images.ts';

export interface ObjectSize {
  /** Its history, and for SQL storage also the records after its last snapshot. */
  readonly journalBytes: number;
  /** Snapshots, and databases that were restored or imported. */
  readonly imageBytes: number;
  /** Key-value data; its approximate size, without compression. */
  readonly tableBytes: number;
}

/** Reads the whole journal, which takes a while for a large one. */
export function measureJournal(journal: Journal): Map<Owner, number> {
  const sizes = new Map<Owner, number>();
  for (const { position, end, payload } of journal.scan(journal.start)) {
    const owner = Buffer.from(payload.subarray(0, ownerBytes)).toString('latin1') as Owner;
    sizes.set(owner, (sizes.get(owner) ?? 0) + end - position);
  }
  return sizes;
}

export async function measureObject(
  owner: Owner,
  parts: { readonly journal: ReadonlyMap<Owner, number>; readonly images: Images; readonly tables: Tables },
): Promise<ObjectSize> {
  let tableBytes = 0;
  for await (const [key, value] of parts.tables.iterate(owner)) tableBytes += key.length + value.length;
  return {
    journalBytes: parts.journal.get(owner) ?? 0,
    imageBytes: parts.images.measureOf(owner),
    tableBytes,
  };
}
