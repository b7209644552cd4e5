/** Fires alarms: finds the object an alarm belongs to, wakes it, and lets its handler run. */
import type { Clock } from '#base';
import type { ClassEntry } from './classes.ts';
import { type Owner, decodeOwner } from './ledger/records.ts';
import type { Fence } from './persistence/fence.ts';
import type { LiveObjects, Resident } from './live/live-objects.ts';
import type { PausedObjects } from './live/paused-objects.ts';
import { describeThrown, dropAlarm, runAlarm } from './alarms/alarm-handler.ts';
import { type AlarmOutcome, AlarmScheduler, type DueAlarm } from './alarms/alarm-scheduler.ts';

export interface AlarmServiceParts {
  readonly clock: Clock;
  readonly retriesMax: number;
  readonly random?: (() => number) | undefined;
  readonly liveObjects: LiveObjects;
  readonly paused: PausedObjects;
  readonly fenceOf: (owner: Owner) => Fence | undefined;
  readonly classOf: (owner: Owner) => ClassEntry | undefined;
  readonly log: (message: string, error?: unknown) => void;
}

export class AlarmService {
  readonly #parts: AlarmServiceParts;
  readonly #scheduler: AlarmScheduler;
  #stopped = false;

  constructor(parts: AlarmServiceParts) {
    this.#parts = parts;
    this.#scheduler = new AlarmScheduler({
      clock: parts.clock,
      retriesMax: parts.retriesMax,
      random: parts.random,
      fire: (owner, alarm) => this.#fire(owner, alarm),
      drop: (owner, alarm) => void this.#drop(owner, alarm),
    });
  }

  set(owner: Owner, time: number | undefined): void {
    this.#scheduler.set(owner, time);
  }

  /** Fires the alarm of an object before its time. */
  runNow(owner: Owner): Promise<AlarmOutcome | 'none' | 'running'> {
    return this.#scheduler.runNow(owner);
  }

  stop(): void {
    this.#stopped = true;
    this.#scheduler.stop();
  }

  async #fire(owner: Owner, alarm: DueAlarm): Promise<AlarmOutcome> {
    const { classOf, fenceOf, log, liveObjects, paused } = this.#parts;
    const fence = fenceOf(owner);
    const entry = classOf(owner);
    if (entry === undefined) {
      log(
        `an alarm is due for class number ${decodeOwner(owner).classNumber}, which this runtime does not have`,
      );
      return { result: 'settled', next: null };
    }
    const refusal = paused.refusalOf(entry.name, decodeOwner(owner).idHex);
    if (refusal !== undefined) return { result: 'failed', counted: false, error: refusal.message };
    let resident: Resident | undefined;
    try {
      // Another process may have taken over the object's alarm by now.
      if (fence?.holds === false) await fence.regained();
      resident = liveObjects.obtain(entry, owner);
      const { actor, alarm: parts } = resident;
      // Entered at once: an object that waits for an event is not put away.
      return await actor.enter(async () => await runAlarm(await parts, alarm, actor.instance));
    } catch (error) {
      if (this.#stopped) return { result: 'settled', next: null };
      if (resident?.retryAlarm === false) {
        await this.#drop(owner, alarm);
        return { result: 'settled', next: null };
      }
      return {
        result: 'failed',
        counted: (error as { retryable?: boolean }).retryable !== true,
        error: describeThrown(error),
      };
    }
  }

  async #drop(owner: Owner, { scheduledTime }: DueAlarm): Promise<void> {
    const { classOf, log, liveObjects } = this.#parts;
    const entry = classOf(owner);
    if (entry === undefined || this.#stopped) return;
    try {
      const { actor, alarm: parts } = liveObjects.obtain(entry, owner);
      await actor.enter(async () => dropAlarm(await parts, scheduledTime));
    } catch (error) {
      log('an alarm that failed for the last time could not be deleted', error);
    }
  }
}
