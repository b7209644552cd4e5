import type { RuntimeStats } from '#objects';
import { combineStats } from './combine-stats.ts';

/**
 * The statistics of a host, over all of its processes: a counter does not decrease when one is replaced. Current
 * values, such as the number of objects awake, are those of the last report.
 */
export class HostStats {
  #pid: number | undefined;
  #last: RuntimeStats | undefined;
  #before: RuntimeStats | undefined;

  take(pid: number | undefined, stats: RuntimeStats): void {
    if (pid !== this.#pid) this.#before = this.#total(keepCounters);
    this.#pid = pid;
    this.#last = stats;
  }

  get now(): RuntimeStats {
    return this.#total((stats) => stats) ?? combineStats([]);
  }

  #total(last: (stats: RuntimeStats) => RuntimeStats): RuntimeStats | undefined {
    if (this.#last === undefined) return undefined;
    const { lastScrub } = this.#last;
    const parts = this.#before === undefined ? [last(this.#last)] : [this.#before, last(this.#last)];
    return { ...combineStats(parts), lastScrub };
  }
}

/** The part of an ended process's statistics that is kept. */
function keepCounters(stats: RuntimeStats): RuntimeStats {
  return { ...stats, journalBytes: 0, objectsAwake: new Map() };
}
