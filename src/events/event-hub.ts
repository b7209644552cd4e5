/**
 * Tells whoever listens to a zone of its events, once they are in its log. Nothing is kept: a listener hears what comes
 * after it began. Listeners must not throw and must not take long.
 */
import type { SecurityEvent } from './event.ts';

type Listener = (events: readonly SecurityEvent[]) => void;

export class EventHub {
  readonly #listeners = new Map<string, Set<Listener>>();

  publish(zoneId: string, events: readonly SecurityEvent[]): void {
    for (const listener of this.#listeners.get(zoneId) ?? []) listener(events);
  }

  /** Until the function that is returned is called. */
  subscribe(zoneId: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(zoneId) ?? new Set();
    this.#listeners.set(zoneId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(zoneId) === listeners) this.#listeners.delete(zoneId);
    };
  }

  countOf(zoneId: string): number {
    return this.#listeners.get(zoneId)?.size ?? 0;
  }
}
