/** Large enough that a new file is rare, small enough that history is dropped in small steps. */
export const segmentBytesDefault = 32 * 1024 * 1024;

/** The size of one group commit: beyond this, latency grows more than throughput. */
export const batchBytesMax = 8 * 1024 * 1024;

/** Zeros are written ahead in chunks, so that preallocation never occupies the disk for long. */
export const preallocatePieceBytes = 1024 * 1024;

/** Bytes fetched at once when a record is read: most records are smaller and need one read. */
export const readAheadBytes = 8 * 1024;

/** Old segments that stay open for readers of history. */
export const openSegmentsMax = 16;

/** Batches up to this size are written on the event loop, as a copy into the page cache. The sync never is. */
export const writeInlineBytesMax = 64 * 1024;

/** Bytes of a segment that are read at once in the search for its end. */
export const recoveryPieceBytes = 256 * 1024;

/** Bytes that a scrub reads and checks before it yields the event loop: a millisecond's work. */
export const scrubPieceBytes = 1024 * 1024;
