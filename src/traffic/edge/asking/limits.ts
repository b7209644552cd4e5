/** Bounds of questions about visitors, for one process, each with its reason. */

/** Of an answer: a page for signing in has a few kilobytes. */
export const answerBytesMax = 64 * 1024;

/** Questions under way: each holds a request, and a connection to whoever is asked. Beyond, the default of rules counts. */
export const questionsMax = 2_048;
export const questionsPerZoneMax = 256;

/** What is kept of one zone, and for how many zones: together 32 MB. */
export const keptBytesPerZoneMax = 512 * 1024;
export const keptZonesMax = 64;

/** What an entry takes beside its texts. */
export const keptEntryBytes = 300;
