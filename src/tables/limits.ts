/** An owner is a fixed-length prefix, so that no owner's rows can lie between another owner's. */
export const ownerBytes = 34;

/** Keys fit a 16-bit length: whoever needs longer ones wants a hash of them. */
export const keyBytesMax = 65_535;

/** A value is read and checked in one piece on the event loop; 64 MiB take about 20 ms. */
export const valueBytesMax = 64 * 1024 * 1024;

/** One disk page: the least a device reads, and some fifty rows to look through. */
export const blockBytesTarget = 4096;

/** A scan that goes on asks the disk for ever more at once, up to this. */
export const readAheadBytesMax = 128 * 1024;

/** The run being written is handed to the file system in pieces of this size. */
export const writeBytesTarget = 128 * 1024;

/** Ten bits and six probes per entry: fewer than one in a hundred vain lookups reads the disk. */
export const filterBitsPerEntry = 10;
export const filterProbes = 6;

/** Bit numbers are 32-bit integers. Beyond 200 million entries in a run vain reads get more frequent, no more. */
export const filterBytesMax = 2 ** 28;

/** Work in the background yields to the event loop after this long. */
export const sliceMs = 1;

/** Runs of similar size that are merged together: each row is rewritten once per fourfold growth. */
export const mergeRunsMin = 4;

/** Above this many runs four adjacent ones are merged even if their sizes differ. */
export const runsTarget = 12;

/** Above this many runs a flush waits for the merge under way, so that reads never face more. */
export const runsMax = 24;

/** What a row in memory costs beside its bytes: string header, typed array, two array slots (measured). */
export const memtableRowBytes = 160;

export const memtableBytesMaxDefault = 16 * 1024 * 1024;
export const cacheBytesMaxDefault = 8 * 1024 * 1024;

/** A page of a scan: enough to make the cost of a page vanish, little enough to hold for a slow reader. */
export const pageRowsMax = 256;
export const pageBytesMax = 1024 * 1024;
