/** Bounds of Workers that run in production. */

/** Versions of a Worker that are kept beside the one that runs. */
export const versionsKept = 10;

/** How long a process with a Worker may say nothing: its end costs every connection, a short stop of it costs nothing. */
export const silentMsMax = 10_000;

/** A cron that was due while no process ran is fired this long after, and not later. */
export const cronsLateMsMax = 10 * 60_000;

/** How long a page of metrics waits for the counts of a process with a Worker. */
export const answerMsMax = 2_000;

/** Of the JSON of a call that is followed, as Cloudflare has it for logs; those that do not fit are left out. */
export const callCharactersMax = 256 * 1024;

/** Of one message of a process with a Worker: a recorded call is the longest, and a character takes two bytes at most. */
export const messageBytesMax = 1024 * 1024;
