/** Events in one block: enough for compression, few enough that one block is decoded in some milliseconds. */
export const blockRowsMax = 2_000;

/** What the events of one block take in memory, explanations included. It bounds the memory of a cut and of a read. */
export const blockBytesMax = 4 * 1024 * 1024;

/** Memory of events that are only in the tail, all zones together. Beyond this, the largest are cut into blocks. */
export const pendingBytesMax = 16 * 1024 * 1024;

/** Logs of a cluster that a host keeps open. Those that are not used for longest are opened again when they are. */
export const openLogsMax = 2_000;

/** How long events stay in the tail at most: a zone with little traffic gets a small block then. */
export const pendingMsMax = 10 * 60_000;

/** A file of the tail: small, because it leaves as a whole. */
export const tailSegmentBytes = 1024 * 1024;

/** The tail may grow to this size before the zones that hold its oldest part are cut. */
export const tailBytesMax = 16 * 1024 * 1024;

/** Events whose time ends within the same span share a segment, and leave together at its end. */
export const expirySpanMs = 30 * 60_000;

/** Segments are continued in another file beyond this. */
export const segmentBytesMax = 64 * 1024 * 1024;

/**
 * Segments that are written to at the same time, one open file each; the one that has not grown for longest is sealed.
 */
export const writingSegmentsMax = 16;

/** A segment that has not grown for this long is sealed. */
export const segmentIdleMs = 30 * 60_000;

/** How often old segments are dropped and old events are cut. */
export const housekeepingMs = 5 * 60_000;

/** Batches of so many events are written by field: what they have in common is written once. */
export const columnRowsMin = 16;

/** Text of earlier events that a batch in the tail is compressed with. */
export const dictionaryBytesMax = 16 * 1024;

/** Batches with more text than this are compressed without a dictionary: loading one costs more than it saves. */
export const dictionaryTextBytesMax = 32 * 1024;

/** Indexes of sealed segments that are kept in memory, by their size on disk. */
export const indexBytesMax = 16 * 1024 * 1024;

/** Decoded blocks that are kept in memory. */
export const openBlocksMax = 16;

/** Bytes of blocks in a database that are kept in memory, for all logs of a process. */
export const databaseBlockBytesMax = 32 * 1024 * 1024;

/** Indexes and bytes of blocks that are read from a database ahead of their use: a question takes longer than its answer. */
export const databaseIndexesPerRead = 64;
export const databaseBlockBytesAhead = 4 * 1024 * 1024;

/** Bits per request id in the filter of a block: one block in a hundred is read in vain. */
export const filterBitsPerId = 10;
export const filterProbes = 7;

/** Zone ids are 32 hexadecimal digits. */
export const zoneIdBytesMax = 32;
