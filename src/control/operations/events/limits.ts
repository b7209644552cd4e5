/** A search that says nothing of time looks so far back. */
export const searchMsDefault = 60 * 60 * 1000;

/** Of a condition's list of values. */
export const conditionValuesMax = 1_000;

/** Events read at a time for an export, some 500 KB. */
export const exportPageEvents = 500;

/** Streams of events at the same time, all zones together; each holds a connection and a queue. */
export const tailsMax = 100;
export const tailsPerZoneMax = 20;

/** Events that wait for a client that reads slowly. Further ones are left out, and counted. */
export const tailQueueMax = 1_000;

/** How often a stream says something, and looks whether its client may still listen. */
export const tailHeartbeatMs = 15_000;

/** Of the headers of a described request, names and values together. */
export const tracedHeaderCharactersMax = 64 * 1024;
