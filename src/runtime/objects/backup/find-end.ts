/** The end of a log at a given time. */
import type { Journal, Position } from '#journal';

export interface LogEnd {
  readonly position: Position;
  /** When the last record before that was written; undefined if there is none. */
  readonly time: number | undefined;
}

/**
 * The end of the last record written by `time`; without a time, of the last record of all. Undefined if the log begins
 * after that time.
 */
export function findEnd(journal: Journal, time: number | undefined): LogEnd | undefined {
  const { durableEnd } = journal;
  const segments = journal.segmentsBefore(durableEnd);
  const newest = { start: segments.at(-1)?.end ?? journal.start, end: durableEnd };
  let last: LogEnd | undefined;
  for (const { start, end } of [...segments, newest].toReversed()) {
    for (const record of journal.scan(start, end)) {
      if (time !== undefined && record.time > time) break;
      last = { position: record.end, time: record.time };
    }
    if (last !== undefined) return time === undefined ? { ...last, position: durableEnd } : last;
  }
  return time === undefined ? { position: durableEnd, time: undefined } : undefined;
}
