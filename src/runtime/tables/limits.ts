/** An owner is a fixed-length prefix, so that no owner's rows can lie between another owner's. */
export const ownerBytes = 34;

/** Keys fit a 16-bit length: a caller with longer keys should hash them. */
export const keyBytesMax = 65_535;

/** A value is read and verified in one step on the event loop; 64 MiB take about 20 ms. */
export const valueBytesMax = 64 * 1024 * 1024;

/** One disk page: the least that a device reads, and about fifty rows to search. */
export const blockBytesTarget = 4096;

/** A scan that continues reads more and more at once, up to this. */
export const readAheadBytesMax = 128 * 1024;

/** The run being written is passed to the file system in chunks of this size. */
export const writeBytesTarget = 128 * 1024;

/** Ten bits and six probes per entry: fewer than one in a hundred lookups of absent keys reads the disk. */
export const filterBitsPerEntry = 10;
export const filterProbes = 6;

/** Bit numbers are 32-bit integers. Beyond 200 million entries in a run, needless reads only get more frequent. */
export const filterBytesMax = 2 ** 28;

/** Background work yields to the event loop after this long. */
export const sliceMs = 1;

/** Runs of similar size that are merged together: each row is rewritten once per fourfold growth. */
export const mergeRunsMin = 4;

/** Above this many runs four adjacent ones are merged even if their sizes differ. */
export const runsTarget = 12;

/** Above this many runs a flush waits for the merge in progress, so that reads never face more. */
export const runsMax = 24;

/** The memory of a row besides its bytes: string header, typed array, two array slots (measured). */
export const memtableRowBytes = 160;

export const memtableBytesMaxDefault = 16 * 1024 * 1024;
export const cacheBytesMaxDefault = 8 * 1024 * 1024;

/** A page of a scan: large enough to make its cost negligible, small enough to keep for a slow reader. */
export const pageRowsMax = 256;
export const pageBytesMax = 1024 * 1024;
