/** Rows read at a time: some 10 ms of work, then others have their turn. */
export const scanRowsPerTurn = 2_000;

/** A page of events. The original's scripts ask for up to this many. */
export const pageEventsMax = 10_000;

/** Groups of a count, the largest or the first of them. */
export const groupsMax = 10_000;

/** Deleted at a time when their days are over. */
export const expireRowsPerTurn = 5_000;

/** Events that wait to be written, all zones together. More than this is dropped, and counted. */
export const queuedEventsMax = 50_000;

/** Written in one call to a zone's log. */
export const batchEventsMax = 1_000;

/** Bytes of requests that may be held for explanations. Events beyond are kept without. */
export const explainedBytesMax = 64 * 1024 * 1024;

/** How long events are gathered before they are written. */
export const gatherMs = 50;
