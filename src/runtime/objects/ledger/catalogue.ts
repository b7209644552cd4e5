/**
 * The data about each object in the tables besides its key-value data, and how a commit changes it. All of it follows
 * from the journal: `advance` is applied to every record once, when it becomes durable or, after a crash, when it is
 * replayed.
 *
 * | owner in the tables | key | value |
 * |---|---|---|
 * | `classes` | `kv:` or `sql:` and the unique key, UTF-8 | class number (2, little-endian), class name, UTF-8 |
 * | `alarms` | the object (34) | time (8, double) |
 * | `objects` | the object (34) | the entry below as JSON, UTF-8 |
 * | the object itself (34) | key | value, for objects with key-value storage |
 */
import { type JournalRecord, type Position, noPosition } from '#journal';
import type { TableChange } from '#tables';
import { type Commit, type Owner, encodeOwner, ownerBytes } from './records.ts';

/** Class numbers from here up name internal owners, never a class. */
export const classNumberMax = 0xff00;

export const reserved = {
  classes: reservedOwner(1),
  alarms: reservedOwner(2),
  objects: reservedOwner(3),
} as const;

function reservedOwner(number: number): Owner {
  return encodeOwner(classNumberMax + number, '00'.repeat(ownerBytes - 2));
}

export interface ObjectEntry {
  readonly name?: string;
  readonly alarm?: number;
  /** The newest record of an object with SQL storage, and when it was written. */
  readonly head: Position;
  readonly headTime: number;
  /** Records whose state a snapshot file holds, oldest first. */
  readonly snapshots: readonly Position[];
  /** The cost of reading the records since the newest snapshot, in bytes. */
  readonly logWeight: number;
  /** A requested replacement of the database that is not yet done. */
  readonly request?: { readonly position: Position; readonly target: Position };
}

export const blankEntry: ObjectEntry = { head: noPosition, headTime: 0, snapshots: [], logWeight: 0 };

export function encodeEntry(entry: ObjectEntry): Uint8Array {
  return Buffer.from(JSON.stringify(entry));
}

export function decodeEntry(bytes: Uint8Array | undefined): ObjectEntry {
  return bytes === undefined ? blankEntry : (JSON.parse(Buffer.from(bytes).toString()) as ObjectEntry);
}

export type Written = Pick<JournalRecord, 'position' | 'time' | 'end'>;

/** The fixed cost of reading one more record, as a number of bytes. */
export const recordReadBytes = 8192;

/** The entry after a commit. */
export function advance(entry: ObjectEntry, commit: Commit, written: Written): ObjectEntry {
  const next: { -readonly [K in keyof ObjectEntry]: ObjectEntry[K] } = { ...entry };
  if (commit.name !== undefined) next.name = commit.name;
  if (commit.alarm === null) delete next.alarm;
  else if (commit.alarm !== undefined) next.alarm = commit.alarm;
  if (commit.snapshot !== undefined) {
    const { position, exists, weight } = commit.snapshot;
    next.snapshots = entry.snapshots.filter((other) => other !== position);
    if (exists) next.snapshots = [...next.snapshots, position].toSorted((a, b) => a - b);
    next.logWeight = Math.max(0, entry.logWeight - weight);
  }
  if (!commit.chained) return next;
  next.head = written.position;
  next.headTime = written.time;
  next.logWeight += written.end - written.position + recordReadBytes;
  if (commit.request !== undefined)
    next.request = { position: written.position, target: commit.request.target };
  if (commit.base !== undefined) {
    delete next.request;
    next.logWeight = 0;
  }
  return next;
}

/** The changes to the tables that a commit makes. */
export function changesOf(commit: Commit, before: ObjectEntry, after: ObjectEntry): TableChange[] {
  const { owner } = commit;
  const changes: TableChange[] = [];
  if (commit.declares !== undefined) {
    const { key, name } = commit.declares;
    const value = Buffer.concat([Buffer.from(owner.slice(0, 2), 'latin1'), Buffer.from(name)]);
    return [{ owner: reserved.classes, key: Buffer.from(key).toString('latin1'), value }];
  }
  for (const entry of commit.entries ?? []) {
    if (entry.op === 'deleteAll') changes.push({ owner, drop: true });
    else changes.push({ owner, key: entry.key, value: entry.op === 'put' ? entry.value : null });
  }
  if (before.alarm !== after.alarm) {
    changes.push({
      owner: reserved.alarms,
      key: owner,
      value: after.alarm === undefined ? null : alarmBytes(after.alarm),
    });
  }
  if (!sameEntry(before, after))
    changes.push({ owner: reserved.objects, key: owner, value: encodeEntry(after) });
  return changes;
}

function sameEntry(a: ObjectEntry, b: ObjectEntry): boolean {
  return a.head === b.head && a.name === b.name && a.alarm === b.alarm && a.snapshots === b.snapshots;
}

export function alarmBytes(time: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeDoubleLE(time);
  return bytes;
}

export function alarmOf(bytes: Uint8Array): number {
  return Buffer.from(bytes).readDoubleLE();
}
