/**
 * Drops history beyond the retention. A segment of the journal may be removed when all its records are old enough, the
 * tables have taken them, and every SQL object with records in it has a snapshot of its last one: from then on the
 * object's history starts with that snapshot.
 */
import type { Journal, Position } from '#journal';
import type { Tables } from '#tables';
import type { OpenLedgers } from '../ledger/open-ledgers.ts';
import { type Owner, decodeCommit } from '../ledger/records.ts';
import type { Historian } from './historian.ts';

export interface RetentionParts {
  readonly journal: Journal;
  readonly tables: Tables;
  readonly historian: Historian;
  readonly ledgers: OpenLedgers;
}

/** Removes whole segments older than `horizon` (a time); returns how many. */
export async function giveBackHistory(parts: RetentionParts, horizon: number): Promise<number> {
  const { journal, tables, historian } = parts;
  let dropped = 0;
  for (const segment of journal.segmentsBefore(journal.durableEnd)) {
    const last = new Map<Owner, Position>();
    for (const record of journal.scan(segment.start, segment.end)) {
      if (record.time > horizon) return dropped;
      const commit = decodeCommit(record.payload);
      if (commit.chained) last.set(commit.owner, record.position);
    }
    historian.leaveBehind(segment.end);
    for (const [owner, position] of last) {
      await parts.ledgers.use(owner, (ledger) =>
        ledger.exclusively(() => historian.settleOn(ledger, position)),
      );
    }
    // A flush already in progress when this one was requested may have covered less.
    while (tables.position < segment.end) {
      tables.touch(journal.durableEnd);
      await tables.flush();
    }
    await journal.dropBefore(segment.end);
    dropped++;
  }
  return dropped;
}
