/** What a job holds back for a receiver that is away: an hour of some 70 events a second. */
export const bufferBytesMax = 128 * 1024 * 1024;

/** Of a file of the buffer: so much is dropped at once when it is full. */
export const segmentBytesMax = 8 * 1024 * 1024;

/** Records of one job that wait to be written to the buffer. */
export const unwrittenBytesMax = 8 * 1024 * 1024;

/** How long records are gathered before they are written to the buffer. */
export const gatherMs = 50;

/** Of a record, with all that its client sent: a longer one is dropped, and counted. */
export const recordBytesMax = 256 * 1024;

/** What jobs have that say nothing about the size of a batch. */
export const batchDefaults = { bytes: 5_000_000, records: 100_000, intervalMs: 1_000 };

/** One attempt to deliver a batch. */
export const attemptMsMax = 30_000;

/** Of what a receiver answers. */
export const answerBytesMax = 64 * 1024;

/** A receiver that is away is asked again after a second, then less and less often. */
export const retry = { msMin: 1_000, msMax: 60_000 };

/** How long a receiver of syslog may take to close its side, after which a batch counts as delivered. */
export const syslogCloseMs = 5_000;

/** How long a stopping program waits for a batch that is under way. The rest is in the buffer. */
export const closeMs = 2_000;

/** Of a destination and of a filter, as they are sent to the API. */
export const destinationCharactersMax = 4_096;
export const filterCharactersMax = 4_096;

/** Comparisons of one filter, and how deep they may be nested. */
export const filterTestsMax = 100;
export const filterDepthMax = 10;

/** What a file destination has that says nothing about it, and what it may have at most. */
export const fileDefaults = { megabytes: 64, files: 5 };
export const fileMegabytesMax = 1_024;
export const filesKeptMax = 100;
