/**
 * The consequence for an object whose code took down its process: the next process does not wake it for a while, so
 * that it does not take down the other objects at each call. The first pause is short, because the cause may have been
 * a single request; each further one is twice as long. After long enough without an incident, the pauses start over.
 *
 * Only ends that the process's watchdog explains count: it knows the object whose statement or turn ran. A crash or a
 * lack of memory cannot be attributed to one object.
 */
import { realClock, RecentMap, backOffMs } from '#base';
import { type PausedObject, parseObject } from '#objects';
import { describeEnd, type EndReason } from '#processes';
import { offendersMax, pauseMsMax, pauseMsMin, pausesForgottenMs } from '../limits.ts';

interface Offender {
  readonly className: string;
  readonly id: string;
  readonly cause: string;
  readonly times: number;
  readonly lastMs: number;
  readonly pauseMs: number;
  /** When the pause ends; undefined until a process gets the list, since the pause begins then. */
  untilMs: number | undefined;
}

export class ObjectPauses {
  /** By class and id; the most recent offender is last. */
  readonly #offenders = new RecentMap<string, Offender>({ sizeMax: offendersMax });

  /** Records that a process has ended, or is about to. Returns the object that is paused for it, if any. */
  note(reason: EndReason, nowMs = realClock.now()): PausedObject | undefined {
    const object = findCulprit(reason);
    if (object === undefined) return undefined;
    const { className, id } = object;
    const key = `${className} ${id}`;
    const before = this.#offenders.peek(key);
    const isForgotten = before === undefined || nowMs - before.lastMs > pausesForgottenMs;
    const times = isForgotten ? 1 : before.times + 1;
    const pauseMs = backOffMs(times, { msMin: pauseMsMin, msMax: pauseMsMax });
    const again = times === 1 ? '' : `, for the ${times}. time in a row`;
    const cause = `its process had to be ended${again}: ${describeEnd(reason)}`;
    this.#offenders.set(key, { className, id, cause, times, lastMs: nowMs, pauseMs, untilMs: undefined });
    return { className, id, cause, forMs: pauseMs };
  }

  /** The objects to pause, for a process that is about to start. */
  list(nowMs = realClock.now()): PausedObject[] {
    const paused: PausedObject[] = [];
    for (const offender of this.#offenders.values()) {
      offender.untilMs ??= nowMs + offender.pauseMs;
      const { className, id, cause, untilMs } = offender;
      if (untilMs > nowMs) paused.push({ className, id, cause, forMs: untilMs - nowMs });
    }
    return paused;
  }

  /** Called when the code is replaced: other code may behave better. */
  clear(): void {
    this.#offenders.clear();
  }
}

/** The object that blocked its process until that was ended; undefined if unknown. */
export function findCulprit(reason: EndReason): { className: string; id: string } | undefined {
  if (reason.kind !== 'stuck' && reason.kind !== 'statement') return undefined;
  return reason.work.object === undefined ? undefined : parseObject(reason.work.object);
}
