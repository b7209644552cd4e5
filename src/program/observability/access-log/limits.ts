/** The size of lines that may wait for a slow disk: about 20,000 lines. Further lines are dropped, and counted. */
export const queuedBytesMax = 8 * 1024 * 1024;

/** This much is written at once, without waiting for `flushMs`. */
export const batchBytes = 64 * 1024;

/** How long a line waits for others. */
export const flushMs = 100;

/** The delay before a failed write is retried. */
export const retryMs = 1_000;

/** Between two messages about dropped lines. */
export const complaintMs = 60_000;

/** How long the program waits for the last lines when it stops. */
export const closeMs = 2_000;

/** The length of a path with its query, a referrer, a user agent and a host name. */
export const textMax = { target: 2_048, referer: 1_024, userAgent: 512, host: 253, method: 32 } as const;

/** Limits of a recorded request: header fields, and characters of each. */
export const recordedHeadersMax = 64;
export const recordedHeaderMax = 2_048;
