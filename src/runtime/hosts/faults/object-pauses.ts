/**
 * What follows for an object whose code took its process with it: the next process does not wake it for a while, so that it
 * does not take its neighbours down at each call. The first pause is short, because the cause may have been a single
 * request; each further one is twice as long. An object that behaves for long enough starts over.
 *
 * Only ends that the watchdog of the process explains count: it knows the object whose statement or turn ran. A crash or
 * too much memory cannot be laid to one object.
 */
import { realClock, RecentMap } from '#base';
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
  /** When the pause ends; undefined until a process was told, for it begins then. */
  untilMs: number | undefined;
}

export class ObjectPauses {
  /** By class and id; the one that did it last is last. */
  readonly #offenders = new RecentMap<string, Offender>({ sizeMax: offendersMax });

  /** A process has ended, or is about to. Answers the object that is paused for it, if one is. */
  note(reason: EndReason, nowMs = realClock.now()): PausedObject | undefined {
    const object = findCulprit(reason);
    if (object === undefined) return undefined;
    const { className, id } = object;
    const key = `${className} ${id}`;
    const before = this.#offenders.peek(key);
    const isForgotten = before === undefined || nowMs - before.lastMs > pausesForgottenMs;
    const times = isForgotten ? 1 : before.times + 1;
    const pauseMs = Math.min(pauseMsMin * 2 ** (times - 1), pauseMsMax);
    const again = times === 1 ? '' : `, for the ${times}. time in a row`;
    const cause = `its process had to be ended${again}: ${describeEnd(reason)}`;
    this.#offenders.set(key, { className, id, cause, times, lastMs: nowMs, pauseMs, untilMs: undefined });
    return { className, id, cause, forMs: pauseMs };
  }

  /** Those that are paused now, for a process that is about to start. */
  list(nowMs = realClock.now()): PausedObject[] {
    const paused: PausedObject[] = [];
    for (const offender of this.#offenders.values()) {
      offender.untilMs ??= nowMs + offender.pauseMs;
      const { className, id, cause, untilMs } = offender;
      if (untilMs > nowMs) paused.push({ className, id, cause, forMs: untilMs - nowMs });
    }
    return paused;
  }

  /** Other code may do better. */
  clear(): void {
    this.#offenders.clear();
  }
}

/** The object that held its process until it was ended; undefined if unknown. */
export function findCulprit(reason: EndReason): { className: string; id: string } | undefined {
  if (reason.kind !== 'stuck' && reason.kind !== 'statement') return undefined;
  return reason.work.object === undefined ? undefined : parseObject(reason.work.object);
}
