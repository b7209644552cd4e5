import type { RecordedEvent, SecurityEvent } from '../event.ts';

/** An event to be stored, with its time in milliseconds. */
export interface TimedEvent extends RecordedEvent {
  readonly atMs: number;
}

/** Approximate memory of an event without its explanation. */
export function measureEvent(event: SecurityEvent): number {
  const { clientRequestPath, clientRequestQuery, clientRefererPath, clientRefererQuery, userAgent } = event;
  return (
    eventBytes +
    clientRequestPath.length +
    clientRequestQuery.length +
    clientRefererPath.length +
    clientRefererQuery.length +
    userAgent.length
  );
}

/** The object and its short texts. */
const eventBytes = 500;

/** An event in the store. */
export interface StoredEvent {
  /** Grows with each event that the store accepts, whatever its zone. */
  readonly sequence: number;
  readonly atMs: number;
  /** When it expires. */
  readonly expiresMs: number;
  readonly event: SecurityEvent;
  /** The explanation of its request as JSON, if it is stored with this event. */
  readonly judged: string | null;
}

/** Removes events whose ids are known, and repeats. */
export function removeKnown(
  events: readonly TimedEvent[],
  known: readonly ReadonlySet<string>[],
): TimedEvent[] {
  const seen = new Set<string>();
  const sets = [...known.filter(({ size }) => size > 0), seen];
  return events.filter(({ event: { id } }) => {
    const isNew = sets.every((ids) => !ids.has(id));
    seen.add(id);
    return isNew;
  });
}
