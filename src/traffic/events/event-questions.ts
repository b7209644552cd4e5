/** Queries to an activity log, and their results. */
import type { EventCondition } from './condition.ts';
import type { SecurityEvent } from './event.ts';
import type { EventCursor } from './store/blocks/scan.ts';

export interface EventRange {
  /** Inclusive. */
  readonly sinceMs: number;
  /** Exclusive. */
  readonly untilMs: number;
  readonly condition?: EventCondition;
}

export interface EventPage {
  readonly events: readonly SecurityEvent[];
  /**
   * Where to continue; undefined if there are no more events. A page with a cursor may be shorter than requested, even
   * empty.
   */
  readonly cursor?: EventCursor;
}

export interface FindOptions {
  readonly limit: number;
  readonly order: 'newest' | 'oldest';
  readonly cursor?: EventCursor;
}

/** Events after a sequence, for streams. */
export interface LaterEvents {
  readonly events: readonly SecurityEvent[];
  /** The sequence to continue from. */
  readonly sequence: number;
}
