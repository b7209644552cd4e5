/** Large enough that starting a file is rare, small enough that history is given back in fine steps. */
export const segmentBytesDefault = 32 * 1024 * 1024;

/** One write of the group commit: beyond this, latency of the waiters grows more than throughput. */
export const batchBytesMax = 8 * 1024 * 1024;

/** Zeros are written ahead in pieces, so that preallocation never hogs the disk for long. */
export const preallocatePieceBytes = 1024 * 1024;

/** How much a record read fetches at once: most records are smaller and need one read. */
export const readAheadBytes = 8 * 1024;

/** Old segments kept open for readers of history. */
export const openSegmentsMax = 16;

/** Batches up to this size are written on the event loop: a copy into the page cache. The sync never is. */
export const writeInlineBytesMax = 64 * 1024;

/** How much of a segment is looked at in one go when its end is searched for. */
export const recoveryPieceBytes = 256 * 1024;
