import { didYouMean } from '#text';

/** Limits of an object, and of what the runtime keeps in memory. Each can be changed in `createRuntime({ limits })`. */
export interface ObjectLimits {
  /** Bytes of a key, as documented. */
  readonly keyBytesMax: number;
  /** Bytes of a value, as documented; the serialisation's overhead does not count. */
  readonly valueBytesMax: number;
  /** Keys or pairs in one get, put or delete, as documented. */
  readonly pairsMax: number;
  /** A critical section that takes longer has hung: the object is reset. */
  readonly criticalSectionMsMax: number;
  /** Sections inside sections beyond this are a runaway recursion. */
  readonly criticalSectionDepthMax: number;
  /** An alarm handler that takes longer counts as failed. */
  readonly alarmMsMax: number;
  /** Failed runs of an alarm beyond the first before it is dropped. */
  readonly alarmRetriesMax: number;
  /** Values of key-value objects kept in memory, all objects together. */
  readonly cacheBytesMax: number;
  /** Objects with nothing to do that stay in memory; beyond that, the one idle for longest is put away early. */
  readonly idleObjectsMax: number;
  /** SQLite databases kept open; the others are parked until used, to bound open files and memory. */
  readonly openDatabasesMax: number;
}

export const defaultLimits: ObjectLimits = {
  keyBytesMax: 2048,
  valueBytesMax: 131_072,
  pairsMax: 128,
  criticalSectionMsMax: 30_000,
  criticalSectionDepthMax: 64,
  alarmMsMax: 15 * 60_000,
  alarmRetriesMax: 6,
  cacheBytesMax: 64 * 1024 * 1024,
  idleObjectsMax: 20_000,
  openDatabasesMax: 1_000,
};

/** Relaxed limits, for code that relied on a local runtime enforcing none: what the disk format can hold. */
export const relaxedLimits: Partial<ObjectLimits> = {
  keyBytesMax: 65_535,
  valueBytesMax: 64 * 1024 * 1024 - 64,
  pairsMax: Number.POSITIVE_INFINITY,
};

/** The defaults with the requested changes, none beyond what the disk format can hold. */
export function resolveLimits(changes: Partial<ObjectLimits> = {}): ObjectLimits {
  const names = Object.keys(defaultLimits);
  const unknown = Object.keys(changes).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new TypeError(`there is no limit limits.${unknown}${didYouMean(unknown, names)}`);
  const limits = { ...defaultLimits, ...changes };
  for (const [name, value] of Object.entries(limits) as Array<[keyof ObjectLimits, number]>) {
    const max = relaxedLimits[name] ?? Number.POSITIVE_INFINITY;
    if (!(value >= 0 && value <= max))
      throw new RangeError(`limits.${name} must be a number from 0 to ${max}: ${value}`);
  }
  return limits;
}

/** The serialisation's overhead on top of `valueBytesMax` that workerd tolerates. */
export const valueOverheadBytes = 34;

/** Idle this long, an object is put away; its memory is lost, its storage is not. */
export const idleMsDefault = 10_000;

/** How far back recovery reaches. */
export const retentionMsDefault = 30 * 24 * 60 * 60_000;

/** Alarm times are stored as nanoseconds in 63 bits. workerd has the same limit, whatever year it documents. */
export const alarmTimeMax = Math.floor(2 ** 63 / 1_000_000);

/** A write-ahead log beyond this is folded into its scratch file. */
export const walBytesMax = 4 * 1024 * 1024;

/** Turns that share a record while the disk is busy: it bounds the log that they are read from, and the record. */
export const turnsPerRecordMax = 64;

/**
 * A snapshot is due when reading the log since the last one would cost more than this and more than reading the
 * database: waking then costs at most about twice the database, and snapshots at most double the bytes written.
 */
export const snapshotLogWeightMin = 1024 * 1024;

/**
 * A database up to this size is materialised in memory that is kept for the next one. Most are smaller; larger ones are
 * written in pieces.
 */
export const smallDatabaseBytesMax = 4 * 1024 * 1024;

/** Files of databases of sleeping objects: disk space that saves reading the journal when they wake. */
export const keptDatabaseBytesMax = 256 * 1024 * 1024;
export const keptDatabasesMax = 1_000;

/** Bytes that a check of an object's history reads before it yields the event loop. */
export const surveyPieceBytes = 1024 * 1024;

/** Bytes of the log that are read for a large database before yielding the event loop. */
export const materialisePieceBytes = 4 * 1024 * 1024;

/** The tables are flushed when the journal is ahead of them by this many bytes: it bounds the replay at start. */
export const replayBytesMax = 128 * 1024 * 1024;

/** Bytes of fetched records of an object in a cluster that are kept in memory; more are put into a file. */
export const spoolMemoryBytesMax = 1024 * 1024;

/** An image is sent to a cluster in pieces of this size, one row each. */
export const imagePieceBytes = 256 * 1024;

/** Rows put into the tables in one batch when a key-value object is claimed. */
export const claimRowsMax = 1_000;

/** How often a process looks for alarms of objects that no process has claimed. */
export const orphanAlarmsMs = 500;

/** How long a process that leaves a cluster waits for its objects to finish, and how often it checks them. */
export const handOverMsMax = 10_000;
export const handOverLookMs = 10;

/** On a disk that refuses writes, the tables are not flushed again before this delay. */
export const flushRetryMs = 5_000;

/** How often history beyond the retention is dropped. */
export const retentionCheckMs = 60 * 60_000;
