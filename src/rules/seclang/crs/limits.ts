/** Size of one rule or data file: the largest of CRS has 120 KB. */
export const fileBytesMax = 8 * 1024 * 1024;

/** Size of an unpacked archive: a release of CRS has 6 MB, most of it tests. */
export const unpackedBytesMax = 128 * 1024 * 1024;

/** Files and folders that are examined in a source: a release of CRS has 1,200. */
export const entriesMax = 20_000;

/** Depth of nested folders that are searched. */
export const depthMax = 10;

/** How long apt may take to download the package. */
export const downloadMsMax = 180_000;
