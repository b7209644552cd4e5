/**
 * When each object's alarm is due. An alarm is set here once it is durable, so the scheduler never fires one that a
 * crash could undo; after a crash every alarm is set again from the tables, so none is lost.
 *
 * `fire` runs at most one alarm of an object at a time. A failed run is due again after 2, 4, 8 … seconds and up to a
 * quarter more.
 */
import { type Clock, Heap, type Timer } from '#base';
import type { Owner } from '../ledger/records.ts';

export interface DueAlarm {
  readonly scheduledTime: number;
  readonly retryCount: number;
  /** Requested to run before its time; so are its retries. */
  readonly isEarly?: boolean;
}

export type AlarmOutcome =
  /** Done; `next` is the alarm the object has now. */
  | {
      readonly result: 'settled';
      readonly next: number | null;
      /** The object has moved or deleted it, or has no handler. */
      readonly skipped?: boolean;
      /** What its handler threw, as text. */
      readonly error?: string;
    }
  /** Failed: to be retried, or dropped if that was the last retry. */
  | { readonly result: 'failed'; readonly counted: boolean; readonly error?: string };

interface Waiting extends DueAlarm {
  readonly owner: Owner;
  readonly dueAt: number;
  /** Failures that do not count: their delay grows, but they use up no retries. */
  readonly uncounted: number;
}

const retryDelayMsMin = 2_000;
const retryJitterMax = 0.25;
const uncountedExponentMax = 9;
/** Fewer replaced alarms than this are not worth clearing away. */
const heapSlack = 1_000;

export class AlarmScheduler {
  readonly #clock: Clock;
  readonly #fire: (owner: Owner, alarm: DueAlarm) => Promise<AlarmOutcome>;
  readonly #drop: (owner: Owner, alarm: DueAlarm) => void;
  readonly #retriesMax: number;
  readonly #random: () => number;
  readonly #waiting = new Map<Owner, Waiting>();
  /** By time; replaced alarms stay until they come up, or until they are most of the heap. */
  #heap = createHeap();
  readonly #running = new Set<Owner>();
  #timer: Timer | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #stopped = false;

  constructor(parts: {
    clock: Clock;
    retriesMax: number;
    fire: (owner: Owner, alarm: DueAlarm) => Promise<AlarmOutcome>;
    /** Called when the last retry failed: deletes the alarm. */
    drop: (owner: Owner, alarm: DueAlarm) => void;
    /** Draws the random part of a retry delay, from 0 to 1; `Math.random` by default. */
    random?: (() => number) | undefined;
  }) {
    this.#clock = parts.clock;
    this.#retriesMax = parts.retriesMax;
    this.#fire = parts.fire;
    this.#drop = parts.drop;
    this.#random = parts.random ?? (() => Math.random());
  }

  get running(): number {
    return this.#running.size;
  }

  /** Sets an object's alarm, replacing what was set, retries included. */
  set(owner: Owner, time: number | undefined): void {
    this.#waiting.delete(owner);
    if (time !== undefined)
      this.#wait({ owner, scheduledTime: time, dueAt: time, retryCount: 0, uncounted: 0 });
  }

  /** Fires an object's alarm before its time. What follows is the same as at its time, retries included. */
  async runNow(owner: Owner): Promise<AlarmOutcome | 'none' | 'running'> {
    if (this.#running.has(owner)) return 'running';
    const alarm = this.#waiting.get(owner);
    if (alarm === undefined) return 'none';
    this.#waiting.delete(owner);
    this.#arm();
    return await this.#run({ ...alarm, isEarly: true });
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
    this.#waiting.clear();
  }

  #wait(alarm: Waiting): void {
    this.#waiting.set(alarm.owner, alarm);
    this.#heap.push(alarm);
    if (this.#heap.size > 2 * this.#waiting.size + heapSlack) {
      this.#heap = createHeap();
      for (const each of this.#waiting.values()) this.#heap.push(each);
    }
    this.#arm();
  }

  #arm(): void {
    let next = this.#heap.first;
    for (; next !== undefined && this.#waiting.get(next.owner) !== next; next = this.#heap.first)
      this.#heap.pop();
    if (this.#stopped || next === undefined) return this.#timer?.cancel();
    if (next.dueAt === this.#timerAt) return;
    this.#timer?.cancel();
    this.#timerAt = next.dueAt;
    this.#timer = this.#clock.setTimer(next.dueAt, () => this.#onTimer(), 'alarm');
  }

  #onTimer(): void {
    this.#timerAt = Number.POSITIVE_INFINITY;
    const alarm = this.#heap.first;
    if (alarm !== undefined && this.#waiting.get(alarm.owner) === alarm && alarm.dueAt <= this.#clock.now()) {
      this.#heap.pop();
      this.#waiting.delete(alarm.owner);
      // While a run is in progress the alarm is set aside; the end of the run considers it again.
      if (this.#running.has(alarm.owner)) this.#waiting.set(alarm.owner, alarm);
      else void this.#run(alarm);
    }
    this.#arm();
  }

  async #run(alarm: Waiting): Promise<AlarmOutcome> {
    const { owner, scheduledTime, retryCount, isEarly = false } = alarm;
    this.#running.add(owner);
    const outcome = await this.#fire(owner, { scheduledTime, retryCount, isEarly });
    this.#running.delete(owner);
    if (this.#stopped) return outcome;
    const newer = this.#waiting.get(owner);
    if (newer !== undefined) this.#wait(newer);
    else if (outcome.result === 'failed') this.#retry(alarm, outcome.counted);
    else if (outcome.next !== null) this.set(owner, outcome.next);
    return outcome;
  }

  #retry(alarm: Waiting, counted: boolean): void {
    const { owner, retryCount, uncounted } = alarm;
    if (counted && retryCount >= this.#retriesMax) return this.#drop(owner, alarm);
    const exponent = counted ? retryCount : Math.min(uncounted, uncountedExponentMax);
    const delay = retryDelayMsMin * 2 ** exponent * (1 + this.#random() * retryJitterMax);
    this.#wait({
      ...alarm,
      dueAt: this.#clock.now() + delay,
      retryCount: counted ? retryCount + 1 : retryCount,
      uncounted: counted ? uncounted : uncounted + 1,
    });
  }
}

function createHeap(): Heap<Waiting> {
  return new Heap((a, b) => a.dueAt < b.dueAt);
}
