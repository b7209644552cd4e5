import { Distribution } from '#base';
import type { RuntimeStats } from '#objects';

/** The sums over all hosts. The time of the last scrub is that of the host scrubbed least recently. */
export function combineStats(parts: readonly RuntimeStats[]): RuntimeStats {
  const sum = (of: (stats: RuntimeStats) => number): number =>
    parts.reduce((total, stats) => total + of(stats), 0);
  const objectsAwake = new Map<string, number>();
  for (const part of parts) {
    for (const [name, count] of part.objectsAwake)
      objectsAwake.set(name, (objectsAwake.get(name) ?? 0) + count);
  }
  return {
    journalBytes: sum(({ journalBytes }) => journalBytes),
    journal: {
      syncSeconds: addDistributions(parts.map(({ journal }) => journal.syncSeconds)),
      writtenBytes: sum(({ journal }) => journal.writtenBytes),
      records: sum(({ journal }) => journal.records),
    },
    failedWrites: {
      journal: sum(({ failedWrites }) => failedWrites.journal),
      tables: sum(({ failedWrites }) => failedWrites.tables),
      snapshots: sum(({ failedWrites }) => failedWrites.snapshots),
    },
    lastScrub: combineScrubs(parts.map(({ lastScrub }) => lastScrub)),
    objectsAwake,
  };
}

function addDistributions(parts: readonly Distribution[]): Distribution {
  const total = new Distribution(parts[0]?.bounds ?? []);
  for (const { counts, sum } of parts) {
    for (const [at, count] of counts.entries()) total.counts[at]! += count;
    total.sum += sum;
  }
  return total;
}

function combineScrubs(scrubs: readonly RuntimeStats['lastScrub'][]): RuntimeStats['lastScrub'] {
  let combined: RuntimeStats['lastScrub'];
  for (const scrub of scrubs) {
    if (scrub === undefined) return undefined;
    combined = {
      finishedAtMs: Math.min(scrub.finishedAtMs, combined?.finishedAtMs ?? Infinity),
      problems: scrub.problems + (combined?.problems ?? 0),
    };
  }
  return combined;
}
