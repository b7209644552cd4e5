/** One run of an object's alarm handler, as an event of the object. */
import { inspect } from 'node:util';
import type { Actor } from '../actor/actor.ts';
import type { AlarmRun } from './alarm-run.ts';
import type { AlarmOutcome, DueAlarm } from './alarm-scheduler.ts';
import { alarmTimeoutError } from '../errors.ts';
import type { ObjectHandlers } from '../durable-object.ts';

/** The part of a storage that keeps the alarm. */
interface AlarmStore {
  getAlarm(): number | null;
  setAlarm(time: number | null): void;
}

export interface AlarmParts {
  readonly actor: Actor;
  readonly run: AlarmRun;
  readonly store: AlarmStore;
}

export async function runAlarm(
  parts: AlarmParts,
  alarm: DueAlarm,
  instance: ObjectHandlers,
): Promise<AlarmOutcome> {
  const { actor, run, store } = parts;
  const { clock, log } = actor.parts;
  const set = store.getAlarm();
  // The object may have moved or deleted it before this run started.
  const isMoved = alarm.isEarly === true ? set !== alarm.scheduledTime : set === null || set > clock.now();
  if (isMoved) return { result: 'settled', next: set, skipped: true };
  if (typeof instance.alarm !== 'function') {
    log(
      'Attempted to run a scheduled alarm without a handler, did you remember to export an alarm() function?',
    );
    clearAlarm(parts);
    return { result: 'settled', next: null, skipped: true };
  }
  const { scheduledTime, retryCount } = alarm;
  run.begin();
  try {
    const handler = async (): Promise<void> =>
      await instance.alarm!({ scheduledTime, retryCount, isRetry: retryCount > 0 });
    await withTimeLimit(actor, handler());
    if (run.end()) clearAlarm(parts);
    return { result: 'settled', next: store.getAlarm() };
  } catch (error) {
    log('an alarm handler failed', error);
    // A handler that set or deleted the alarm itself has decided what comes next.
    const text = describeThrown(error);
    if (run.end()) return { result: 'failed', counted: true, error: text };
    return { result: 'settled', next: store.getAlarm(), error: text };
  }
}

/** Code may throw anything. */
export function describeThrown(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : inspect(thrown);
}

/** Deletes the alarm that was to run at `time`, unless the object has set another since. */
export function dropAlarm(parts: AlarmParts, time: number): void {
  if (parts.store.getAlarm() === time) clearAlarm(parts);
}

function clearAlarm({ actor, store }: AlarmParts): void {
  actor.writes.before();
  store.setAlarm(null);
}

/** A handler that takes too long can be stopped only by breaking its life: two handlers never run at the same time. */
async function withTimeLimit(actor: Actor, handler: Promise<void>): Promise<void> {
  const { clock, limits } = actor.parts;
  const limit = clock.setTimer(
    clock.now() + limits.alarmMsMax,
    () => actor.break(alarmTimeoutError()),
    'housekeeping',
  );
  try {
    await handler;
  } finally {
    limit.cancel();
  }
}
