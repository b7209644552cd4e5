/** Virtual time, and its events, in an order that a seed determines. */
import { setImmediate } from 'node:timers';

interface Event {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

export class SimulatedTime {
  now = 0;
  /** A digest of all events, to compare two runs. */
  trace = 0;
  readonly #events: Event[] = [];
  #order = 0;
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A number from 0 up to 1. */
  random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  between(min: number, max: number): number {
    return min + this.random() * (max - min);
  }

  /** A whole number below `count`. */
  pick(count: number): number {
    return Math.floor(this.random() * count);
  }

  after(delayMs: number, run: () => void): void {
    this.#push({ at: this.now + delayMs, order: this.#order++, run });
  }

  /** Runs the events that are due up to a time; after each, the code that it has started runs until it waits. */
  async runUntil(end: number): Promise<void> {
    for (let next = this.#pop(end); next !== undefined; next = this.#pop(end)) {
      this.now = next.at;
      this.trace = (Math.imul(this.trace, 31) + next.order + Math.floor(next.at * 1_000)) | 0;
      next.run();
      await new Promise<void>((resolve) => void setImmediate(resolve));
    }
    this.now = end;
  }

  #push(event: Event): void {
    const events = this.#events;
    let at = events.push(event) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (isEarlier(events[above]!, event)) break;
      events[at] = events[above]!;
      at = above;
    }
    events[at] = event;
  }

  #pop(end: number): Event | undefined {
    const events = this.#events;
    const first = events[0];
    if (first === undefined || first.at > end) return undefined;
    const last = events.pop()!;
    if (events.length === 0) return first;
    let at = 0;
    for (let below = 1; below < events.length; below = 2 * at + 1) {
      if (below + 1 < events.length && isEarlier(events[below + 1]!, events[below]!)) below++;
      if (isEarlier(last, events[below]!)) break;
      events[at] = events[below]!;
      at = below;
    }
    events[at] = last;
    return first;
  }
}

function isEarlier(a: Event, b: Event): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
