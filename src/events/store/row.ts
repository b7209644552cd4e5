import type { RecordedEvent, SecurityEvent } from '../event.ts';

/** An event to be stored, with its time in milliseconds. */
export interface TimedEvent extends RecordedEvent {
  readonly atMs: number;
}

/** About what an event takes in memory, without its explanation. */
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

/** The object, and its short texts. */
const eventBytes = 500;

/** An event in the store. */
export interface Row {
  /** Grows with each event that the store takes, whatever its zone. */
  readonly sequence: number;
  readonly atMs: number;
  /** When it leaves. */
  readonly expiresMs: number;
  readonly event: SecurityEvent;
  /** The explanation of its request as JSON, if this event is the one that carries it. */
  readonly judged: string | null;
}
