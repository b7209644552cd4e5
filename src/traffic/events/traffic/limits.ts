/** How long single minutes are kept. Of what is older, only hours are. */
export const minutesKeptMs = 48 * 3_600_000;

/** How often counts go to disk: a crash loses those since the last time. */
export const writeMs = 60_000;

/** How often old counts are dropped. */
export const housekeepingMs = 3_600_000;

/** How often the files are merged, so that what was dropped leaves the disk. */
export const mergeMs = 24 * 3_600_000;

/** Rows in memory that are not on disk: a minute of that many zones, or a few while the disk refuses writes. */
export const pendingRowsMax = 200_000;

/** Rows of a tally that are not collected: 35 minutes of a thousand zones. */
export const tallyRowsMax = 35_000;

/** A minute that is so far ahead of our clock belongs to an edge whose clock is wrong. */
export const aheadMinutesMax = 5;

/** Batches that are recognised if an edge sends them again. */
export const batchesKnownMax = 1_000;
