/** Limits for questions about visitors, per process, each with its reason. */

/** Size of an answer: a sign-in page has a few kilobytes. */
export const answerBytesMax = 64 * 1024;

/** Pending questions: each holds a request and a connection. Beyond the limit, the default of the rule applies. */
export const questionsMax = 2_048;
export const questionsPerZoneMax = 256;

/** Cached answers per zone, and the number of zones with cached answers: 32 MB in total. */
export const keptBytesPerZoneMax = 512 * 1024;
export const keptZonesMax = 64;

/** Memory of a cache entry besides its texts. */
export const keptEntryBytes = 300;
