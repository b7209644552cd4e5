/**
 * What an edge is told: the configuration of each zone as it is now, `complete` with the ids of all zones, then each
 * configuration again whenever it may have changed. An edge in this process reads these messages as they are, one elsewhere
 * as lines of JSON.
 *
 * - A message is made after the change that it tells of, so the last one about a zone is the newest. What changes faster than
 *   the reader reads is left out but for its last state.
 * - A zone that changes all the time would be compiled all the time: it rests in between, nine times as long as the reader took
 *   for it and at most half a second, so that requests keep most of the processor.
 * - A zone whose configuration cannot be loaded holds up no other. It is tried again, later and later, or at its next change.
 * - When there is nothing to tell, a `heartbeat` says now and then that the feed is still there.
 */
import { BackOff, type Clock, type Timer } from '#base';
import type { ZoneConfiguration } from '#firewall';

export type FeedMessage =
  | { readonly kind: 'configuration'; readonly configuration: ZoneConfiguration }
  | { readonly kind: 'removed'; readonly zone: string }
  /** It will be tried again; until then the edge keeps what it has of the zone. */
  | { readonly kind: 'unavailable'; readonly zone: string; readonly reason: string; readonly retryMs: number }
  /** Every zone was told, or tried; there are no others. */
  | { readonly kind: 'complete'; readonly zones: readonly string[] }
  | { readonly kind: 'heartbeat' };

export interface FeedSource {
  readonly clock: Clock;
  zoneIds(): Iterable<string>;
  /** Nothing if there is no such zone any more. */
  configuration(zoneId: string): Promise<ZoneConfiguration | undefined>;
  /** Calls until the function that is returned is called. */
  onChange(listener: (zoneId: string) => void): () => void;
}

const heartbeatMs = 15_000;
const restMsMax = 500;
const restShare = 9;
const retry = { msMin: 100, msMax: 10_000 };

export async function* readConfigurations(
  source: FeedSource,
  signal: AbortSignal,
): AsyncGenerator<FeedMessage, void> {
  const { clock } = source;
  const zones = new ChangedZones(clock);
  using _changes = disposable(source.onChange((zoneId) => zones.add(zoneId)));
  const wake = (): void => zones.wake();
  signal.addEventListener('abort', wake);
  using _signal = disposable(() => signal.removeEventListener('abort', wake));
  for (const zoneId of source.zoneIds()) zones.add(zoneId);
  let isComplete = false;
  while (!signal.aborted) {
    for (let zoneId = zones.take(); zoneId !== undefined && !signal.aborted; zoneId = zones.take()) {
      const message = await messageOf(source, zones, zoneId);
      const startMs = clock.now();
      yield message;
      if (message.kind === 'configuration') zones.rest(zoneId, (clock.now() - startMs) * restShare);
    }
    if (!isComplete) yield { kind: 'complete', zones: [...source.zoneIds()] };
    isComplete = true;
    if ((await zones.wait(heartbeatMs)) === 'nothing') yield { kind: 'heartbeat' };
  }
}

async function messageOf(source: FeedSource, zones: ChangedZones, zoneId: string): Promise<FeedMessage> {
  try {
    const configuration = await source.configuration(zoneId);
    zones.succeed(zoneId);
    return configuration === undefined
      ? { kind: 'removed', zone: zoneId }
      : { kind: 'configuration', configuration };
  } catch (error) {
    const retryMs = zones.fail(zoneId);
    return { kind: 'unavailable', zone: zoneId, reason: (error as Error).message, retryMs };
  }
}

/** The zones that are to be told, each not before its time. */
class ChangedZones {
  readonly #clock: Clock;
  /** When each may be told, in milliseconds. */
  readonly #due = new Map<string, number>();
  readonly #restingUntil = new Map<string, number>();
  readonly #failing = new Map<string, BackOff>();
  #isWoken = false;
  #wake: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A change ends the wait before a repetition, but not a rest. */
  add(zoneId: string): void {
    this.#due.set(zoneId, this.#restingUntil.get(zoneId) ?? 0);
    this.wake();
  }

  take(): string | undefined {
    const nowMs = this.#clock.now();
    for (const [zoneId, dueMs] of this.#due) {
      if (dueMs > nowMs) continue;
      this.#due.delete(zoneId);
      return zoneId;
    }
    return undefined;
  }

  rest(zoneId: string, ms: number): void {
    const untilMs = this.#clock.now() + Math.min(ms, restMsMax);
    this.#restingUntil.set(zoneId, untilMs);
    if (this.#due.has(zoneId)) this.#due.set(zoneId, untilMs);
  }

  succeed(zoneId: string): void {
    this.#failing.delete(zoneId);
  }

  /** Answers in how many milliseconds it is tried again. */
  fail(zoneId: string): number {
    const backOff = this.#failing.get(zoneId) ?? new BackOff(retry);
    this.#failing.set(zoneId, backOff);
    const retryMs = backOff.next();
    if (!this.#due.has(zoneId)) this.#due.set(zoneId, this.#clock.now() + retryMs);
    return retryMs;
  }

  wake(): void {
    this.#isWoken = true;
    this.#wake?.();
  }

  /** Until a zone changes or is due; `nothing` if neither happens in that time. */
  async wait(ms: number): Promise<'something' | 'nothing'> {
    const nowMs = this.#clock.now();
    for (const [zoneId, untilMs] of this.#restingUntil)
      if (untilMs <= nowMs) this.#restingUntil.delete(zoneId);
    let dueMs = nowMs + ms;
    for (const zoneMs of this.#due.values()) dueMs = Math.min(dueMs, zoneMs);
    let timer: Timer | undefined;
    if (!this.#isWoken && dueMs > nowMs) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      timer = this.#clock.setTimer(dueMs, resolve, 'housekeeping');
      await promise;
    }
    timer?.cancel();
    const isSomething = this.#isWoken || dueMs < nowMs + ms;
    this.#isWoken = false;
    this.#wake = undefined;
    return isSomething ? 'something' : 'nothing';
  }
}

function disposable(stop: () => void): Disposable {
  return { [Symbol.dispose]: stop };
}
