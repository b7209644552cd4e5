/** Files that one load may include: the rules of CRS are 40 files. */
export const filesMax = 1_000;

/** Bytes of all rule files and data files together: CRS has under 2 MB. */
export const fileBytesMax = 64 * 1024 * 1024;

/** Rules in one set, including links of chains: CRS has under 1,000. */
export const rulesMax = 50_000;

/**
 * Variables that a request may set in TX. A rule that captures names of arguments would otherwise store whatever a
 * client sends.
 */
export const transactionVariablesMax = 10_000;

/** Size in bytes of one value of TX, and of any expanded text. */
export const expandedBytesMax = 128 * 1024;

/** Compiled patterns with macros that are cached for each rule. */
export const expandedPatternsMax = 64;

/** Records of persistent collections (`IP`, `GLOBAL`); the least recently used one is dropped. */
export const collectionRecordsMax = 100_000;

/** Seconds that a record of a persistent collection lives after its last change, unless set. */
export const collectionTimeoutSeconds = 3_600;

/** Matches that a rule reports for one request. A body of a thousand fields can match a thousand times. */
export const reportedMatchesMax = 20;

/** Selections of rules with a cache for values of requests: each has its own memory. */
export const rememberingSetsMax = 8;

/** Longest value that is cached: names, headers, words. Longer ones seldom recur. */
export const rememberedBytesMax = 256;

/** Values that are cached for a selection of rules, in two generations, and their bytes: they take some 4 MB. */
export const rememberedTextsMax = 4_096;
export const rememberedTextBytesMax = 524_288;
