import { BoundedMap } from '#base';
import { type Journal, type Position, firstPosition } from '#journal';
import type { Tables } from '#tables';
import { type ObjectEntry, advance, changesOf } from './catalogue.ts';
import { readEntry } from './ledger.ts';
import { type Owner, decodeCommit } from './records.ts';

/** The journal and the tables in a directory do not match: one of them was lost, or restored from elsewhere. */
export class DirectoryMismatchError extends Error {
  override readonly name = 'DirectoryMismatchError';
  readonly code = 'DIRECTORY_MISMATCH';
}

/** Brings the tables up to date with the journal after a start, by applying unflushed records again. */
export async function replay(journal: Journal, tables: Tables): Promise<void> {
  const from = Math.max(tables.position, firstPosition) as Position;
  if (from > journal.durableEnd) {
    throw new DirectoryMismatchError(
      `cannot open the directory, the journal ends at position ${journal.durableEnd} but the tables were written at ${from}: ${journal.directory}`,
    );
  }
  if (from < journal.start) {
    throw new DirectoryMismatchError(
      `cannot open the directory, the tables end at position ${from} but the journal keeps only what came after ${journal.start}: ${journal.directory}`,
    );
  }
  const entries = new BoundedMap<Owner, ObjectEntry>(entriesMax);
  for (const record of journal.scan(from)) {
    const commit = decodeCommit(record.payload);
    const before = entries.get(commit.owner) ?? (await readEntry(tables, commit.owner));
    const after = advance(before, commit, record);
    entries.set(commit.owner, after);
    tables.apply(changesOf(commit, before, after), record.end);
    if (tables.needsFlush) await tables.flush();
  }
}

const entriesMax = 10_000;
