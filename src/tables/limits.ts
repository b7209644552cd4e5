/** An owner is a fixed-length prefix, so that no owner's rows can lie between another owner's. */
export const ownerBytes = 34;

/** Keys fit a 16-bit length: whoever needs longer ones wants a hash of them. */
export const keyBytesMax = 65_535;

/** A value is read and checked in one piece on the event loop; 64 MiB take about 20 ms. */
export const valueBytesMax = 64 * 1024 * 1024;

/** One disk page: the least a device reads, and some fifty rows to look through. */
export const blockBytesTarget = 4096;

/** Blocks a long scan reads at once, so that a disk is asked for 128 KiB rather than for 4. */
export const readAheadBlocksMax = 32;

/** The run being written is handed to the file system in pieces of this size. */
export const writeBytesTarget = 128 * 1024;

/** Ten bits and six probes per entry: fewer than one in a hundred vain lookups reads the disk. */
export const filterBitsPerEntry = 10;
export const filterProbes = 6;

/** Bit numbers are 32-bit. A larger filter would only lower the rate of vain reads for over 400 million entries. */
export const filterBytesMax = 2 ** 29;

/** Work in the background yields to the event loop after this long. */
export const sliceMs = 1;

/** Runs of similar size that are merged together: each row is rewritten once per fourfold growth. */
export const mergeRunsMin = 4;

/** Above this many runs a flush waits for the merge under way, so that reads never face more. */
export const runsMax = 24;

/** What a row in memory costs beside its bytes: string header, typed array, two array slots (measured). */
export const memtableRowBytes = 160;

export const memtableBytesMaxDefault = 16 * 1024 * 1024;
export const cacheBytesMaxDefault = 8 * 1024 * 1024;
