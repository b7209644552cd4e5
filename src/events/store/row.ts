import type { SecurityEvent } from '../event.ts';

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
