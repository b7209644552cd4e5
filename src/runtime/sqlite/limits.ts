/** The limits of an object's SQL. The names on the left are those of SQLite's own limits. */
export interface SqlLimits {
  /** Bytes of one string, blob or row. */
  readonly length: number;
  /** UTF-8 bytes of the text given to one `exec`. */
  readonly sqlLength: number;
  readonly column: number;
  readonly exprDepth: number;
  readonly compoundSelect: number;
  readonly vdbeOp: number;
  readonly functionArg: number;
  readonly likePatternLength: number;
  readonly variableNumber: number;
  readonly triggerDepth: number;
}

/**
 * The limits of workerd, so that what runs here runs there. They also bound what hostile SQL can
 * cost: a statement that compiles at all compiles within milliseconds.
 */
export const sqlLimitsDefault: SqlLimits = {
  // 8 MiB and the 34 bytes that workerd allows for its serialisation header.
  length: 8 * 1024 * 1024 + 34,
  sqlLength: 100_000,
  column: 100,
  exprDepth: 100,
  compoundSelect: 5,
  vdbeOp: 25_000,
  functionArg: 127,
  likePatternLength: 50,
  variableNumber: 100,
  triggerDepth: 10,
};

/** Prepared statements cached per database, counted as the bytes of their SQL text, as workerd does. */
export const statementCacheBytesMax = 1024 * 1024;

/**
 * A prepared statement takes a few KiB however short its text is, so their number is bounded as well:
 * without this a loop over `SELECT 1`, `SELECT 2`, … would hold hundreds of megabytes.
 */
export const statementCacheEntriesMax = 256;

/** Row builders shared by all databases of the process, by column names. */
export const rowBuildersMax = 2_000;

/**
 * SQLite's page cache per database, unless the owner says otherwise. Ten thousand live databases share
 * one process, and the operating system caches the same files, so a large private cache would mostly
 * keep second copies.
 */
export const pageCacheKiBDefault = 128;

/** Candidates tried when searching the offset of an error message; beyond this the offset is omitted. */
export const offsetCandidatesMax = 32;
