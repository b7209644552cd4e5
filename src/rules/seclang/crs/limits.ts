/** Of one rule or data file: the largest of CRS has 120 KB. */
export const fileBytesMax = 8 * 1024 * 1024;

/** Of an archive when it is unpacked: a release of CRS has 6 MB, most of it tests. */
export const unpackedBytesMax = 128 * 1024 * 1024;

/** Files and folders that are looked at in a source: a release of CRS has 1,200. */
export const entriesMax = 20_000;

/** Folders in folders that are looked at. */
export const depthMax = 10;

/** How long apt may take to download the package. */
export const downloadMsMax = 180_000;
