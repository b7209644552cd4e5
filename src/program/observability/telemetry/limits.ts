/** Spans that wait for a slow collector. Further ones are dropped, and counted. */
export const queuedSpansMax = 8_192;

/** Spans of one request to the collector. */
export const spansPerExport = 512;

/** How long a span waits for others. */
export const spanDelayMs = 5_000;

export const exportTimeoutMs = 10_000;

/** How often sending a batch is tried before it is dropped. */
export const triesMax = 4;

export const retry = { msMin: 1_000, msMax: 30_000 };

/** How long the program waits for the collector when it stops. */
export const closeMs = 2_000;

/** Between two messages about a collector that does not answer. */
export const complaintMs = 60_000;

/** The length of a response of the collector. */
export const responseBytesMax = 64 * 1024;
