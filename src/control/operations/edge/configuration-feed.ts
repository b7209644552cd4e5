/**
 * What an edge receives: the current configuration of each zone, then `complete` with the ids of all zones, then each
 * configuration again whenever it may have changed. An edge in this process reads these messages directly; a remote edge
 * reads them as lines of JSON.
 *
 * - A message is created after the change that it reports, so the last message about a zone is the newest. If a zone changes
 *   faster than the reader reads, intermediate states are left out.
 * - A zone that changes all the time would be compiled all the time. So a zone rests after each message, for nine times as
 *   long as the reader took but at most half a second, and requests keep most of the processor.
 * - A zone whose configuration cannot be loaded delays no other zone. It is retried with increasing delays, or at its next
 *   change.
 * - When there is nothing to send, an occasional `heartbeat` shows that the feed is still alive.
 */
import { BackOff, type Clock, type Timer } from '#base';
import type { ZoneConfiguration } from '#firewall';

export type FeedMessage =
  | { readonly kind: 'configuration'; readonly configuration: ZoneConfiguration }
  | { readonly kind: 'removed'; readonly zone: string }
  /** It will be retried; until then the edge keeps the configuration that it has. */
  | { readonly kind: 'unavailable'; readonly zone: string; readonly reason: string; readonly retryMs: number }
  /** Every zone was sent, or tried; no others exist. */
  | { readonly kind: 'complete'; readonly zones: readonly string[] }
  | { readonly kind: 'heartbeat' };

export interface FeedSource {
  readonly clock: Clock;
  listZoneIds(): Iterable<string>;
  /** Undefined if the zone no longer exists. */
  readConfiguration(zoneId: string): Promise<ZoneConfiguration | undefined>;
  /** Calls the listener until the returned function is called. */
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
  using _changes = toDisposable(source.onChange((zoneId) => zones.add(zoneId)));
  const wake = (): void => zones.wake();
  signal.addEventListener('abort', wake);
  using _signal = toDisposable(() => signal.removeEventListener('abort', wake));
  for (const zoneId of source.listZoneIds()) zones.add(zoneId);
  let isComplete = false;
  while (!signal.aborted) {
    for (let zoneId = zones.take(); zoneId !== undefined && !signal.aborted; zoneId = zones.take()) {
      const message = await createMessage(source, zones, zoneId);
      const startMs = clock.now();
      yield message;
      if (message.kind === 'configuration') zones.rest(zoneId, (clock.now() - startMs) * restShare);
    }
    if (!isComplete) yield { kind: 'complete', zones: [...source.listZoneIds()] };
    isComplete = true;
    if ((await zones.wait(heartbeatMs)) === 'nothing') yield { kind: 'heartbeat' };
  }
}

async function createMessage(source: FeedSource, zones: ChangedZones, zoneId: string): Promise<FeedMessage> {
  try {
    const configuration = await source.readConfiguration(zoneId);
    zones.succeed(zoneId);
    return configuration === undefined
      ? { kind: 'removed', zone: zoneId }
      : { kind: 'configuration', configuration };
  } catch (error) {
    const retryMs = zones.fail(zoneId);
    return { kind: 'unavailable', zone: zoneId, reason: (error as Error).message, retryMs };
  }
}

/** The zones to send, each with the time before which it must not be sent. */
class ChangedZones {
  readonly #clock: Clock;
  /** When each zone may be sent, in milliseconds. */
  readonly #due = new Map<string, number>();
  readonly #restingUntil = new Map<string, number>();
  readonly #failing = new Map<string, BackOff>();
  #isWoken = false;
  #wake: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A change ends the delay before a retry, but not a rest. */
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

  /** Returns the delay in milliseconds before the next try. */
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

  /** Waits until a zone changes or is due; resolves to `nothing` if neither happens in that time. */
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

function toDisposable(stop: () => void): Disposable {
  return { [Symbol.dispose]: stop };
}
