/** Size of a job's buffer for an unavailable receiver: an hour of some 70 events per second. */
export const bufferBytesMax = 128 * 1024 * 1024;

/** Size of a buffer file: this much is dropped at once when the buffer is full. */
export const segmentBytesMax = 8 * 1024 * 1024;

/** Records of one job that wait to be written to the buffer. */
export const unwrittenBytesMax = 8 * 1024 * 1024;

/** How long records are gathered before they are written to the buffer. */
export const gatherMs = 50;

/** Size of a record, with all data from its client: a longer one is dropped and counted. */
export const recordBytesMax = 256 * 1024;

/** Defaults for jobs that do not set the size of a batch. */
export const batchDefaults = { bytes: 5_000_000, records: 100_000, intervalMs: 1_000 };

/** One attempt to deliver a batch. */
export const attemptMsMax = 30_000;

/** Size of a receiver's answer. */
export const answerBytesMax = 64 * 1024;

/** Delivery to an unavailable receiver is retried after a second, then less and less often. */
export const retry = { msMin: 1_000, msMax: 60_000 };

/** How long a receiver of syslog may take to close its side, after which a batch counts as delivered. */
export const syslogCloseMs = 5_000;

/** How long a stopping program waits for a batch in progress. The rest is in the buffer. */
export const closeMs = 2_000;

/** Length of a destination and of a filter, as they are sent to the API. */
export const destinationCharactersMax = 4_096;
export const filterCharactersMax = 4_096;

/** Comparisons in one filter, and their nesting depth. */
export const filterTestsMax = 100;
export const filterDepthMax = 10;

/** Defaults and maxima of a file destination. */
export const fileDefaults = { megabytes: 64, files: 5 };
export const fileMegabytesMax = 1_024;
export const filesKeptMax = 100;
