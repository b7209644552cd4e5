import type { RuntimeStats } from '#objects';
import { combineStats } from './combine-stats.ts';

/**
 * What a host counts, over all of its processes: a counter does not go back when one is replaced. What is there now, such
 * as objects that are awake, is that of the last report.
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

/** What a process that has ended leaves. */
function keepCounters(stats: RuntimeStats): RuntimeStats {
  return { ...stats, journalBytes: 0, objectsAwake: new Map() };
}
