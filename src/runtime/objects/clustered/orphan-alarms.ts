/** Alarms of objects that no process has: the first process to find one claims the object, which reports its alarm. */
import type { Clock, Timer } from '#base';
import type { Owner } from '../ledger/records.ts';
import { orphanAlarmsMs } from '../limits.ts';
import type { ClusterPort } from './cluster-port.ts';

interface OrphanAlarmsParts {
  readonly cluster: Pick<ClusterPort, 'findOrphanAlarms'>;
  readonly clock: Clock;
  readonly claim: (owner: Owner) => Promise<void>;
  readonly log: (message: string, error?: unknown) => void;
}

export class OrphanAlarms {
  readonly #parts: OrphanAlarmsParts;
  #timer: Timer | undefined;
  #isStopped = false;
  /** Whether the last search failed. */
  #isBlind = false;

  constructor(parts: OrphanAlarmsParts) {
    this.#parts = parts;
  }

  /** Searches now, and then repeatedly. */
  async begin(): Promise<void> {
    const { clock, log } = this.#parts;
    try {
      await this.#adopt();
      this.#isBlind = false;
    } catch (error) {
      // Logged once: a database that is unavailable stays so for a while.
      if (!this.#isBlind) log('could not check for alarms; trying again', error);
      this.#isBlind = true;
    }
    // With a virtual clock, the first search found all alarms.
    if (this.#isStopped || clock.virtual) return;
    this.#timer = clock.setTimer(clock.now() + orphanAlarmsMs, () => void this.begin(), 'housekeeping');
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
  }

  async #adopt(): Promise<void> {
    const { claim, clock, cluster, log } = this.#parts;
    // A virtual clock needs to know every alarm that is set, to decide how far to advance.
    const dueBy = clock.virtual ? Number.MAX_SAFE_INTEGER : clock.now() + 2 * orphanAlarmsMs;
    for (const [owner] of await cluster.findOrphanAlarms(dueBy)) {
      if (this.#isStopped) return;
      // Another process may have claimed it first.
      await claim(owner).catch((error: unknown) => log('could not take over an alarm', error));
    }
  }
}
