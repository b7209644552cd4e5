/** Parses the messages of a host's process: it may run user code, which can send anything. */
import type { RuntimeStats } from '#objects';
import { ProtocolError, readAmount, readDistribution, readFields, readList, readText } from '#processes';
import type { HostedClass } from '../host-router.ts';

const classesMax = 10_000;
const nameCharactersMax = 2_048;

export interface ReadyReport {
  readonly classes: readonly HostedClass[];
  readonly stats: RuntimeStats;
}

/** Throws a `ProtocolError` if it is not a valid report that the host is ready. */
export function readReady(value: unknown): ReadyReport {
  const { classes, stats } = readFields(value, 'the report of a host');
  return {
    classes: readList(classes, 'the classes of a host', classesMax).map(readClass),
    stats: readStats(stats),
  };
}

/** A later report. */
export function readCounts(value: unknown): RuntimeStats {
  return readStats(readFields(value, 'the report of a host')['stats']);
}

function readClass(value: unknown): HostedClass {
  const { name, uniqueKey, storage } = readFields(value, 'a class');
  if (storage !== 'kv' && storage !== 'sql') throw new ProtocolError('a class has no storage');
  return {
    name: readText(name, 'the name of a class', nameCharactersMax),
    uniqueKey: readText(uniqueKey, 'the key of a class', nameCharactersMax),
    storage,
  };
}

function readStats(value: unknown): RuntimeStats {
  const stats = readFields(value, 'the counts of a host');
  const journal = readFields(stats['journal'], 'the counts of a journal');
  const failed = readFields(stats['failedWrites'], 'the writes that failed');
  const { objectsAwake, lastScrub } = stats;
  if (!(objectsAwake instanceof Map) || objectsAwake.size > classesMax)
    throw new ProtocolError('the objects that are awake are not counts by class');
  return {
    journalBytes: readAmount(stats['journalBytes'], 'the size of a journal'),
    journal: {
      syncSeconds: readDistribution(journal['syncSeconds']),
      writtenBytes: readAmount(journal['writtenBytes'], 'the bytes of a journal'),
      records: readAmount(journal['records'], 'the records of a journal'),
    },
    failedWrites: {
      journal: readAmount(failed['journal'], 'a count'),
      tables: readAmount(failed['tables'], 'a count'),
      snapshots: readAmount(failed['snapshots'], 'a count'),
    },
    lastScrub: lastScrub === undefined ? undefined : readScrub(lastScrub),
    objectsAwake: new Map(
      Array.from(objectsAwake as ReadonlyMap<unknown, unknown>, ([name, count]) => [
        readText(name, 'the name of a class', nameCharactersMax),
        readAmount(count, 'a count'),
      ]),
    ),
  };
}

function readScrub(value: unknown): NonNullable<RuntimeStats['lastScrub']> {
  const { finishedAtMs, problems } = readFields(value, 'a scrub');
  return {
    finishedAtMs: readAmount(finishedAtMs, 'the time of a scrub'),
    problems: readAmount(problems, 'the problems of a scrub'),
  };
}
