import type { Journal, Position } from '#journal';
import type { Tables } from '#tables';
import { type ObjectEntry, advance, changesOf } from './catalogue.ts';
import { readEntry } from './ledger.ts';
import { type Owner, decodeCommit } from './records.ts';

/** Brings the tables up to the journal after a start: what was durable but not yet flushed is applied again. */
export async function replay(journal: Journal, tables: Tables): Promise<void> {
  const entries = new Map<Owner, ObjectEntry>();
  const from = Math.max(tables.position, journal.start) as Position;
  for (const record of journal.scan(from)) {
    const commit = decodeCommit(record.payload);
    const before = entries.get(commit.owner) ?? (await readEntry(tables, commit.owner));
    const after = advance(before, commit, record);
    if (before !== after) entries.set(commit.owner, after);
    tables.apply(changesOf(commit, before, after), record.end);
    if (tables.needsFlush) await tables.flush();
    // A cache of what the tables would answer anyway: it may be forgotten at any time.
    if (entries.size > entriesMax) entries.clear();
  }
}

const entriesMax = 10_000;
