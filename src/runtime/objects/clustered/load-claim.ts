import type { TableChange } from '#tables';
import {
  type ObjectEntry,
  advance,
  blankEntry,
  changesOf,
  decodeEntry,
  encodeEntry,
  reserved,
} from '../ledger/catalogue.ts';
import type { ObjectTables } from '../ledger/object-tables.ts';
import { type Owner, decodeCommit } from '../ledger/records.ts';
import { noPosition, type Position } from '#journal';
import { claimRowsMax } from '../limits.ts';
import type { ObjectLog } from './object-log.ts';
import { decodePairs } from './pairs.ts';
import { measureRecord } from './record-spool.ts';

/** Reads an object's state from its checkpoint and the later records, and puts it into the tables. */
export async function loadClaim(
  owner: Owner,
  log: ObjectLog,
  tables: ObjectTables,
): Promise<{ entry: ObjectEntry; pairsBytes: number }> {
  const { claim } = log;
  const { checkpoint } = claim;
  tables.apply([{ owner, drop: true }], noPosition);
  let entry = checkpoint === undefined ? blankEntry : decodeEntry(checkpoint.entry);
  let pairsBytes = 0;
  if (checkpoint !== undefined && entry.head === noPosition) {
    const image = { position: checkpoint.position, kind: 'pairs' } as const;
    for await (const changes of decodePairs(owner, claim.readImage(image))) {
      tables.apply(changes, noPosition);
      for (const change of changes) if ('value' in change) pairsBytes += change.value?.length ?? 0;
    }
  }
  log.continueFrom(checkpoint?.time ?? 0);
  let changes: TableChange[] = [];
  const from = ((checkpoint?.position ?? noPosition) + 1) as Position;
  if (from <= claim.position) {
    for await (const record of claim.read(from, claim.position)) {
      const { position, time, payload } = record;
      const commit = decodeCommit(payload);
      if (commit.owner !== owner)
        throw new RangeError(`the record at position ${position} is of another object`);
      entry = advance(entry, commit, { position, time, end: measureRecord(position, payload.length) });
      // Only what the object itself stores: of its entry, the final state is enough.
      changes.push(...changesOf({ ...commit }, entry, entry));
      if (commit.chained) log.keep(record);
      log.continueFrom(time);
      if (!commit.chained) log.weight += payload.length;
      if (changes.length < claimRowsMax) continue;
      tables.apply(changes, noPosition);
      changes = [];
    }
  }
  changes.push({ owner: reserved.objects, key: owner, value: encodeEntry(entry) });
  tables.apply(changes, noPosition);
  return { entry, pairsBytes };
}
