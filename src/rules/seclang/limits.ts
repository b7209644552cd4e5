/** Files that one load may include: the rules of CRS are 40 files. */
export const filesMax = 1_000;

/** Bytes of all rule files and data files together: CRS has under 2 MB. */
export const fileBytesMax = 64 * 1024 * 1024;

/** Rules in one set, those of chains counted: CRS has under 1,000. */
export const rulesMax = 50_000;

/** Values that a request may set in TX. A rule that captures names of arguments would otherwise keep what it is sent. */
export const transactionVariablesMax = 10_000;

/** Bytes of one value of TX, and of any text with macros. */
export const expandedBytesMax = 128 * 1024;

/** Patterns with macros that are kept compiled, for each rule. */
export const expandedPatternsMax = 64;

/** Records of persistent collections (`IP`, `GLOBAL`); the one used longest ago is dropped. */
export const collectionRecordsMax = 100_000;

/** Seconds that a record of a persistent collection lives after its last change, unless set. */
export const collectionTimeoutSeconds = 3_600;

/** Matches that a rule reports for one request. A body of a thousand fields can match a thousand times. */
export const reportedMatchesMax = 20;

/** Selections of rules for which values of requests are remembered: each has memory of its own. */
export const rememberingSetsMax = 8;

/** Longest value that is remembered: names, headers, words. Longer ones hardly come twice. */
export const rememberedBytesMax = 256;

/** Values that are remembered for a selection of rules, twice over, and their bytes: they take some 4 MB. */
export const rememberedTextsMax = 4_096;
export const rememberedTextBytesMax = 524_288;
