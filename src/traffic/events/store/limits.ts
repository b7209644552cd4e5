/** Events in one block: enough for compression, few enough that one block is decoded in some milliseconds. */
export const blockRowsMax = 2_000;

/** Memory of the events of one block, explanations included. It bounds the memory of a cut and of a read. */
export const blockBytesMax = 4 * 1024 * 1024;

/** Memory of events that are only in the tail, for all zones together. Beyond this, the largest are cut into blocks. */
export const pendingBytesMax = 16 * 1024 * 1024;

/** Logs of a cluster that a host keeps open. The least recently used are closed, and reopened on their next use. */
export const openLogsMax = 2_000;

/** How long events stay in the tail at most: a zone with little traffic then gets a small block. */
export const pendingMsMax = 10 * 60_000;

/** Size of a tail file: small, because it is removed as a whole. */
export const tailSegmentBytes = 1024 * 1024;

/** The tail may grow to this size before the zones that hold its oldest part are cut. */
export const tailBytesMax = 16 * 1024 * 1024;

/** Events that expire within the same span share a segment, and are removed together at its end. */
export const expirySpanMs = 30 * 60_000;

/** A segment beyond this size is continued in another file. */
export const segmentBytesMax = 64 * 1024 * 1024;

/** Segments written at the same time, one open file each; the one idle for longest is sealed. */
export const writingSegmentsMax = 16;

/** A segment that has not grown for this long is sealed. */
export const segmentIdleMs = 30 * 60_000;

/** How often old segments are dropped and old events are cut. */
export const housekeepingMs = 5 * 60_000;

/** Batches with at least this many events are written by field: common values are written once. */
export const columnRowsMin = 16;

/** Text of earlier events that a batch in the tail is compressed with. */
export const dictionaryBytesMax = 16 * 1024;

/** Batches with more text than this are compressed without a dictionary: loading one costs more than it saves. */
export const dictionaryTextBytesMax = 32 * 1024;

/** Indexes of sealed segments in memory, by their size on disk. */
export const indexBytesMax = 16 * 1024 * 1024;

/** Decoded blocks in memory. */
export const openBlocksMax = 16;

/** Bytes of database blocks in memory, for all logs of a process. */
export const databaseBlockBytesMax = 32 * 1024 * 1024;

/** Indexes and bytes of blocks read ahead from a database: a round trip takes longer than the transfer. */
export const databaseIndexesPerRead = 64;
export const databaseBlockBytesAhead = 4 * 1024 * 1024;

/** Bits per request id in the filter of a block: one block in a hundred is read needlessly. */
export const filterBitsPerId = 10;
export const filterProbes = 7;

/** Zone ids are 32 hexadecimal digits. */
export const zoneIdBytesMax = 32;
