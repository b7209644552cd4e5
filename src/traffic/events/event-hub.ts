/**
 * Sends the events of a zone to its listeners once they are in its log. Nothing is stored: a listener receives the
 * events that arrive after it has subscribed. Listeners must not throw and must be fast.
 */
import type { SecurityEvent } from './event.ts';

type SecurityEventListener = (events: readonly SecurityEvent[]) => void;

export class EventHub {
  readonly #listeners = new Map<string, Set<SecurityEventListener>>();

  publish(zoneId: string, events: readonly SecurityEvent[]): void {
    for (const listener of this.#listeners.get(zoneId) ?? []) listener(events);
  }

  /** Calls the listener until the returned function is called. */
  subscribe(zoneId: string, listener: SecurityEventListener): () => void {
    const listeners = this.#listeners.get(zoneId) ?? new Set();
    this.#listeners.set(zoneId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(zoneId) === listeners) this.#listeners.delete(zoneId);
    };
  }

  countListeners(zoneId: string): number {
    return this.#listeners.get(zoneId)?.size ?? 0;
  }
}
