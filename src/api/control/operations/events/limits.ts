/** The time range of a search that sets none. */
export const searchMsDefault = 60 * 60 * 1000;

/** Values in the list of one condition. */
export const conditionValuesMax = 1_000;

/** Events read at a time for an export, about 500 KB. */
export const exportPageEvents = 500;

/** The newest events that a comparison of two generations reads: most zones have fewer. */
export const comparedEventsMax = 20_000;
/** Events that it reads per turn. */
export const comparedEventsPerTurn = 1_000;
/** Requests that it lists; its counts include further ones. */
export const comparedRequestsMax = 1_000;

/** Concurrently open streams of all zones; each holds a connection and a queue. */
export const tailsMax = 100;
export const tailsPerZoneMax = 20;

/** Events queued for a client that reads slowly. Further events are dropped and counted. */
export const tailQueueMax = 1_000;

/** How often a stream sends a heartbeat and checks that its client may still listen. */
export const tailHeartbeatMs = 15_000;

/** The size of the headers of a described request, names and values together. */
export const tracedHeaderCharactersMax = 64 * 1024;

/**
 * How often creating an exception is retried after a concurrent change: each attempt is compared with what was shown.
 */
export const exceptionAttemptsMax = 4;

/** Groups of events that an exception would have prevented: enough to see whether they are wanted. */
export const shownGroupsMax = 8;
