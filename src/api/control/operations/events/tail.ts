/**
 * Events of a zone as they happen, as server-sent events. The stream starts when its first chunk is read. It ends when
 * the client disconnects or loses its permission, or when the zone is deleted. A client that reads slowly misses
 * events, and the stream reports how many; nothing else waits for it.
 */
import type { Timer } from '#base';
import { compileCondition, type EventCondition, type SecurityEvent } from '#events';
import { fault, type PlainReply, securityCodes } from '#contract';
import type { ObjectsContext } from '../several-objects.ts';
import { findGrants, findToken } from '../../context/caller.ts';
import { getTokenState } from '../../context/token.ts';
import type { Activity } from './activity.ts';
import { tailHeartbeatMs, tailQueueMax } from './limits.ts';

export interface TailOptions {
  readonly zoneId: string;
  readonly condition: EventCondition | undefined;
}

export function openTail(context: ObjectsContext, { zoneId, condition }: TailOptions): PlainReply {
  const { activity, actor } = context;
  checkRoom(activity, zoneId);
  const mayListen = (): boolean => {
    const { directory } = context;
    const token = findToken({ actor, directory });
    const isActive = token === undefined || getTokenState(token, activity.clock.now()) === 'active';
    const isGranted = findGrants({ actor, directory }).allows('analyticsRead', zoneId);
    return isActive && isGranted && directory.zones.has(zoneId);
  };
  return {
    kind: 'plain',
    status: 200,
    contentType: 'text/event-stream; charset=utf-8',
    headers: { 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
    body: new Tail(activity, {
      zoneId,
      isWanted: condition === undefined ? () => true : compileCondition(condition),
      mayListen,
    }),
  };
}

function checkRoom(activity: Activity, zoneId: string): void {
  const count = activity.countIfCrowded(zoneId);
  if (count !== undefined) throw fault(securityCodes.tailsTooMany, { fill: { count } });
}

interface TailParts {
  readonly zoneId: string;
  readonly isWanted: (event: SecurityEvent) => boolean;
  readonly mayListen: () => boolean;
}

type Step = IteratorResult<string, undefined>;

/**
 * Written out rather than as a generator, so that it ends at once when the client disconnects, even if no events occur.
 */
class Tail implements AsyncIterableIterator<string, undefined> {
  readonly #activity: Activity;
  readonly #parts: TailParts;
  #state: 'new' | 'open' | 'over' = 'new';
  #queue: SecurityEvent[] = [];
  #missed = 0;
  #isBeatDue = false;
  #waiting: ((step: Step) => void) | undefined;
  #timer: Timer | undefined;
  #stop = (): void => {};

  constructor(activity: Activity, parts: TailParts) {
    this.#activity = activity;
    this.#parts = parts;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Step> {
    if (this.#state === 'new') return Promise.resolve(this.#begin());
    const step = this.#take();
    return step === undefined ? new Promise((resolve) => (this.#waiting = resolve)) : Promise.resolve(step);
  }

  return(): Promise<Step> {
    this.#end();
    return Promise.resolve(over);
  }

  #begin(): Step {
    const { zoneId } = this.#parts;
    if (this.#activity.countIfCrowded(zoneId) !== undefined) {
      this.#state = 'over';
      return { done: false, value: 'event: refused\ndata: {"reason":"too many streams are open"}\n\n' };
    }
    this.#state = 'open';
    this.#stop = this.#activity.listen(zoneId, {
      hear: (events) => this.#hear(events),
      end: () => this.#end(),
    });
    this.#setTimer();
    return { done: false, value: 'retry: 3000\n\n' };
  }

  #hear(events: readonly SecurityEvent[]): void {
    for (const event of events) {
      if (!this.#parts.isWanted(event)) continue;
      if (this.#queue.length < tailQueueMax) this.#queue.push(event);
      else this.#missed++;
    }
    this.#wake();
  }

  #setTimer(): void {
    const { clock } = this.#activity;
    this.#timer = clock.setTimer(
      clock.now() + tailHeartbeatMs,
      () => {
        if (!this.#parts.mayListen()) return this.#end();
        this.#isBeatDue = true;
        this.#setTimer();
        this.#wake();
      },
      'housekeeping',
    );
  }

  #wake(): void {
    const waiting = this.#waiting;
    const step = waiting && this.#take();
    if (step === undefined) return;
    this.#waiting = undefined;
    waiting!(step);
  }

  /** Everything that is pending, in one chunk; undefined if nothing is. */
  #take(): Step | undefined {
    if (this.#state === 'over') return over;
    let text = this.#isBeatDue ? ':\n\n' : '';
    for (const event of this.#queue) text += `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`;
    if (this.#missed > 0) text += `event: missed\ndata: {"count":${this.#missed}}\n\n`;
    this.#queue = [];
    this.#missed = 0;
    this.#isBeatDue = false;
    return text === '' ? undefined : { done: false, value: text };
  }

  #end(): void {
    this.#state = 'over';
    this.#queue = [];
    this.#stop();
    this.#timer?.cancel();
    this.#waiting?.(over);
    this.#waiting = undefined;
  }
}

const over: Step = { done: true, value: undefined };
