/** How long single minutes are kept. Older counts are kept only by hour. */
export const minutesKeptMs = 48 * 3_600_000;

/** How often counts are written to disk: a crash loses those since the last write. */
export const writeMs = 60_000;

/** How often old counts are dropped. */
export const housekeepingMs = 3_600_000;

/** How often the files are merged, which removes dropped counts from disk. */
export const mergeMs = 24 * 3_600_000;

/** Rows in memory that are not on disk: a minute of that many zones, or a few minutes while the disk rejects writes. */
export const pendingRowsMax = 200_000;

/** Rows of a tally that are not collected: 35 minutes of a thousand zones. */
export const tallyRowsMax = 35_000;

/** A minute further ahead of our clock than this comes from an edge whose clock is wrong. */
export const aheadMinutesMax = 5;

/** Batches that are recognised if an edge sends them again. */
export const batchesKnownMax = 1_000;
